internal import Foundation
internal import MienFiles
internal import MienPlatform
internal import MienStore

/// Migration of all records between the databases of a data folder and PostgreSQL.
package struct StoreMigrationRun {
  /// A data folder or the URL of a database.
  private let source: String
  private let target: String
  private let console: any OperatorConsole

  /// - Parameters:
  ///   - source: a data folder or the URL of a database; `nil` uses the environment's.
  ///   - target: the other kind of the two; `nil` uses the environment's.
  /// - Throws: ``OperationError`` if one is missing.
  package init(from source: String?, to target: String?, console: any OperatorConsole) throws {
    guard let source = source ?? StoreLocation.fromEnvironment, let target = target ?? StoreLocation.fromEnvironment
    else {
      throw OperationError(
        "Name --from and --to: a data folder and a database, postgres://user:password@host/database.")
    }
    self.source = source
    self.target = target
    self.console = console
  }

  /// Returns `true` for text that is meant to be the URL of a database but is not a valid one.
  package static func isInvalidURL(_ text: String) -> Bool { PostgresURL.isMeant(by: text) && PostgresURL(text) == nil }

  package func run() throws {
    switch (PostgresURL(source), PostgresURL(target)) {
    case (nil, let address?):
      guard FileManager.default.fileExists(atPath: source + "/" + DataDirectory.database) else {
        throw OperationError("\(source) has no database: there is nothing to move.")
      }
      for realm in Realm.allCases { try move(realm, source, address, isBack: false) }
      // The keyring is needed with the new database, not with the old one.
      try StoreLocationFile.write(StoreLocationFile.text(of: address), in: source, console: console)
    case (let address?, nil):
      for realm in Realm.allCases { try move(realm, target, address, isBack: true) }
      try StoreLocationFile.write(StoreLocationFile.embedded, in: target, console: console)
    default:
      throw OperationError("One of --from and --to must be a data folder, the other PostgreSQL.")
    }
    console.note(
      "Keyrings, files and frame logs were not moved: copy them to the new server. The source is unchanged; delete it when "
        + "the new server works.")
  }

  private func move(_ realm: Realm, _ data: String, _ address: PostgresURL, isBack: Bool) throws {
    let folder = DataDirectory.of(realm, in: data)
    try DataDirectory.make(folder)
    let path = folder + "/" + DataDirectory.database
    let outcome = try SQLiteTableExport.whole(path) { embedded in
      try PostgresTableExport.whole(address, realm: realm) { shared in
        let tables = try embedded.tables()
        return try isBack
          ? StoreMigration(tables, from: shared, to: embedded).run()
          : StoreMigration(tables, from: embedded, to: shared).run()
      }
    }
    let records = outcome.counts.reduce(0) { $0 + $1.records }
    try console.write(
      "\(realm.rawValue): \(records) records \(outcome.wasThere ? "were there already" : "copied"), every one compared."
    )
    for count in outcome.counts where count.records > 0 { try console.write("  \(count.table) \(count.records)") }
  }
}
