internal import GRDB
internal import MienPlatform

extension SQLiteStore {
  /// Writes a consistent copy of the database file at `path` to a new file while a server may be running.
  ///
  /// The copy contains no free pages and therefore no deleted data. Writers are not blocked.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable``; a partial file at `copy` may then remain.
  public static func copy(_ path: String, to copy: String) throws {
    do {
      let source = try reader(path)
      try source.inDatabase { db in try db.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
      try source.close()
    } catch {
      throw StoreError(
        .unavailable,
        reason:
          "The database \(path) could not be copied to \(copy). Check that there is enough free space. \(publicText(error))"
      )
    }
  }

  /// Verifies the integrity of a database file, and that it was not written by a newer version of this program.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable``.
  public static func examine(_ path: String) throws {
    let faults: [String]
    do {
      let source = try reader(path)
      faults = try source.inDatabase { db in
        let isNewer = try Migrations.sqlite.areExceeded(in: SQLiteConnection(db: db, syntax: SQLiteSyntax()))
        let broken = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty ? [] : ["rows without their check"]
        return (isNewer ? ["a newer version of Mien wrote it; use that version"] : []) + broken + orphans
      }
      try source.close()
    } catch {
      throw StoreError(.unavailable, reason: "\(path) cannot be read as a database. \(publicText(error))")
    }
    guard let first = faults.first else { return }
    throw StoreError(.unavailable, reason: "The database \(path) is corrupt: \(first).")
  }

  private static func reader(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(30)
    configuration.publicStatementArguments = false
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
