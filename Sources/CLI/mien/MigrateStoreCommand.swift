import ArgumentParser
import Foundation
import MienService
import MienStorePostgres
import MienStoreSQLite

/// `mien migrate-store`: copies all records of a data folder's databases to PostgreSQL, or back.
struct MigrateStoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-store",
    abstract: "Copy a server's records from its data folder to PostgreSQL, or back.",
    discussion: """
      One side is a data folder and the other PostgreSQL; a side that is omitted is taken from MIEN_STORE, which, unlike \
      options, other users cannot see. Stop all servers that use either side first. The target must be empty. Every copied \
      record is verified, and each realm (first live, then sandbox) is copied completely or not at all; after an \
      interruption, run the command again. The source is unchanged, except that the folder records where the data is now \
      (store.place). Keyrings (mien.seal, sandbox/mien.seal), files (blobs, uploads, sandbox/blobs, sandbox/uploads), and \
      frames of pending clips (reels) are not moved: give the new server the same ones.
      """)

  @Option(help: ArgumentHelp("Source.", valueName: "folder|url"))
  var from: String?
  @Option(help: ArgumentHelp("Empty target.", valueName: "folder|url"))
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
