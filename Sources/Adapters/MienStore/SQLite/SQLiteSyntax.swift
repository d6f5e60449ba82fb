internal import Synchronization

/// Translation of statements, which are written in the SQL of PostgreSQL, to that of SQLite.
///
/// Little differs: SQLite has no schemas and no row locks, since it has a single writer; its `LIKE` ignores case, and row numbers record
/// the order of arrival.
final class SQLiteSyntax: Sendable {
  /// Translated statement with the columns of its result, which are known after its first execution.
  struct Statement: Sendable {
    let sql: String
    var columns: [String: Int]?
  }

  /// Maximum number of remembered statements; there are about a hundred with constant text.
  private static let capacity = 512

  private let known = Mutex<[String: Statement]>([:])

  /// Returns the translation of a statement, which is remembered.
  func statement(_ sql: String) -> Statement {
    known.withLock { known in
      if let statement = known[sql] { return statement }
      if known.count >= Self.capacity { known = [:] }
      let statement = Statement(sql: Self.translate(sql), columns: nil)
      known[sql] = statement
      return statement
    }
  }

  /// Remembers the columns of a statement's result.
  func note(_ columns: [String: Int], of sql: String) {
    known.withLock { $0[sql]?.columns = columns }
  }

  static func translate(_ sql: String) -> String {
    sql.replacing("mien.", with: "").replacing(" ILIKE ", with: " LIKE ").replacing("arrival", with: "rowid")
      .replacing(#/\s+FOR (UPDATE|NO KEY UPDATE|SHARE|KEY SHARE)( OF \w+)?( SKIP LOCKED)?/#, with: "")
      .replacing(#/\$(\d+)/#) { "?\($0.1)" }
  }
}
