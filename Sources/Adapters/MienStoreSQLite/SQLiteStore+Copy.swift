internal import GRDB
internal import MienService

extension SQLiteStore {
  /// Writes a copy of the database file at `path` to a new file, as of one moment, beside a running server.
  ///
  /// The copy holds no free pages: nothing of what was erased goes along. Its writers wait for nobody.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable``; `copy` may then be there in part.
  public static func copy(_ path: String, to copy: String) throws {
    do {
      let source = try reader(path)
      try source.inDatabase { db in try db.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
      try source.close()
    } catch {
      throw StoreError(
        .unavailable,
        reason: "The database \(path) could not be copied to \(copy). Check that there is room. \(publicText(error))")
    }
  }

  /// Reads a database file whole and throws when it is damaged or of a newer version than this program knows.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable``.
  public static func examine(_ path: String) throws {
    let faults: [String]
    do {
      let source = try reader(path)
      faults = try source.inDatabase { db in
        let isNewer = try Schema.migrator.hasBeenSuperseded(db)
        let broken = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        let orphans = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").isEmpty ? [] : ["rows without their check"]
        return (isNewer ? ["a newer version of Mien wrote it; use that version"] : []) + broken + orphans
      }
      try source.close()
    } catch {
      throw StoreError(.unavailable, reason: "\(path) cannot be read as a database. \(publicText(error))")
    }
    guard let first = faults.first else { return }
    throw StoreError(.unavailable, reason: "The database \(path) is not sound: \(first).")
  }

  private static func reader(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(30)
    configuration.publicStatementArguments = false
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
