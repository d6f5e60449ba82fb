/// Columns of messages that came after their table.
enum PostgresMessageSchema {
  /// How slow the key of a sealed text is made to derive; NULL for texts of version 1, whose keys take no time.
  static let kdf = """
    ALTER TABLE mien.message ADD COLUMN kdf text CHECK (length(kdf) BETWEEN 1 AND 64);
    ALTER TABLE mien.message ADD CHECK (kdf IS NULL OR box IS NOT NULL);
    """
}
