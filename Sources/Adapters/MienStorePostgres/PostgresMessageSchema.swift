/// Columns of messages that came after their table.
enum PostgresMessageSchema {
  /// Parameters of the key derivation of a sealed text; NULL for texts of version 1, whose keys are derived without scrypt.
  static let kdf = """
    ALTER TABLE mien.message ADD COLUMN kdf text CHECK (length(kdf) BETWEEN 1 AND 64);
    ALTER TABLE mien.message ADD CHECK (kdf IS NULL OR box IS NOT NULL);
    """
}
