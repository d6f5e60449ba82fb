/// Columns of messages that came after their table.
enum MessageSchema {
  /// How slow the key of a sealed text is made to derive; NULL for texts of version 1, whose keys take no time.
  static let kdf = """
    ALTER TABLE message ADD COLUMN kdf TEXT CHECK (length(kdf) BETWEEN 1 AND 64)
      CHECK (kdf IS NULL OR box IS NOT NULL);
    """
}
