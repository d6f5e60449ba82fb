import Testing

@testable import MienStore

@Suite struct `SQLite syntax` {
  @Test(arguments: [
    ("SELECT * FROM mien.scan s WHERE id = $1 AND n < $12", "SELECT * FROM scan s WHERE id = ?1 AND n < ?12"),
    (
      "SELECT id FROM mien.scan ORDER BY a, arrival LIMIT $2 FOR UPDATE SKIP LOCKED",
      "SELECT id FROM scan ORDER BY a, rowid LIMIT ?2"
    ),
    ("SELECT 1 FROM e FOR NO KEY UPDATE OF e SKIP LOCKED", "SELECT 1 FROM e"),
    (
      "IN (\n  SELECT id FROM mien.message LIMIT $2\n  FOR UPDATE SKIP LOCKED\n)",
      "IN (\n  SELECT id FROM message LIMIT ?2\n)"
    ),
    ("SELECT a FOR SHARE", "SELECT a"), ("SELECT a FOR KEY SHARE", "SELECT a"),
    ("a ILIKE $1 ESCAPE '\\'", "a LIKE ?1 ESCAPE '\\'"),
  ])
  func `statements are translated to SQLite syntax`(_ statement: String, _ expected: String) {
    #expect(SQLiteSyntax.translate(statement) == expected)
  }
}
