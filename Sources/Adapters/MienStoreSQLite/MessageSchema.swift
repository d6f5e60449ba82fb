/// Columns of messages that came after their table.
enum MessageSchema {
  /// Parameters of the key derivation of a sealed text; NULL for texts of version 1, whose keys are derived without scrypt.
  static let kdf = """
    ALTER TABLE message ADD COLUMN kdf TEXT CHECK (length(kdf) BETWEEN 1 AND 64)
      CHECK (kdf IS NULL OR box IS NOT NULL);
    """
}
