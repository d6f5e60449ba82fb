import ArgumentParser
import Foundation
import MienService
import MienStorePostgres
import MienStoreSQLite

/// `mien migrate-store`: copies all records of a data folder's databases to PostgreSQL, or back.
struct MigrateStoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-store",
    abstract: "Move what a server keeps from its folder's databases to PostgreSQL, or back.",
    discussion: """
      One of the two is a data folder and the other PostgreSQL; one that is not named is what MIEN_STORE names, which other users \
      do not see as they see options. No server may be at work on either. The target must be empty; every record is compared \
      after it was copied, and what was copied is kept whole or not at all, for the live space and then for the sandbox: \
      after a sudden end begin again. The source stays as it is, but for the folder's note of where the records are now \
      (store.place). Seals (mien.seal, sandbox/mien.seal), files (blobs, \
      uploads, sandbox/blobs, sandbox/uploads) and films to be made (reels) are not moved: give the new server the same.
      """)

  @Option(help: ArgumentHelp("What to read.", valueName: "folder|url"))
  var from: String?
  @Option(help: ArgumentHelp("What to fill.", valueName: "folder|url"))
  var to: String?

  func validate() throws {
    for end in [from, to].compactMap(\.self) where PostgresURL.isMeant(by: end) && PostgresURL(end) == nil {
      throw ValidationError(RealmStores.hint.replacing("--store takes", with: "PostgreSQL is named"))
    }
  }

  func run() async throws {
    try await Terminal.reporting { try move() }
  }

  private func move() throws {
    guard let source = from ?? RealmStores.named, let target = to ?? RealmStores.named else {
      throw CommandError("Name --from and --to: a data folder and a database, postgres://user:password@host/database.")
    }
    switch (PostgresURL(source), PostgresURL(target)) {
    case (nil, let address?):
      guard FileManager.default.fileExists(atPath: source + "/" + DataDirectory.database) else {
        throw CommandError("\(source) has no database: there is nothing to move.")
      }
      for space in Realm.allCases { try move(space, source, address, isBack: false) }
      // The keyring is needed with the new database, not with the old one.
      try StoreLocationFile.write(StoreLocationFile.words(target), in: source)
    case (let address?, nil):
      for space in Realm.allCases { try move(space, target, address, isBack: true) }
      try StoreLocationFile.write(StoreLocationFile.embedded, in: target)
    default:
      throw CommandError("One of --from and --to must be a data folder, the other PostgreSQL.")
    }
    Terminal.note(
      "Seals, files and films to be made were not moved: give the new server the same. The source is as it was; when the new "
        + "server does what it should, delete it.")
  }

  private func move(_ space: Realm, _ data: String, _ address: PostgresURL, isBack: Bool) throws {
    let folder = DataDirectory.of(space, in: data)
    try DataDirectory.make(folder)
    let path = folder + "/" + DataDirectory.database
    let outcome = try SQLiteTableExport.whole(path) { embedded in
      try PostgresTableExport.whole(address, space: space) { shared in
        let tables = try embedded.tables()
        return try isBack
          ? StoreMigration(tables, from: shared, to: embedded).run()
          : StoreMigration(tables, from: embedded, to: shared).run()
      }
    }
    let records = outcome.counts.reduce(0) { $0 + $1.records }
    try Terminal.say(
      "\(space.rawValue): \(records) records \(outcome.wasThere ? "were there already" : "copied"), every one compared."
    )
    for count in outcome.counts where count.records > 0 { try Terminal.say("  \(count.table) \(count.records)") }
  }
}
