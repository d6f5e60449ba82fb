import ArgumentParser
import MienService

/// Location of a server's records: options shared by all commands that work beside a server.
struct StoreOptions: ParsableArguments {
  @Option(help: "The server's data folder.")
  var data = "data"
  @Option(help: ArgumentHelp("The server's --store, if it uses one.", valueName: "url"))
  var store: String?

  /// `true` if the records are in an external database.
  var isElsewhere: Bool { store != nil || RealmStores.named != nil }

  /// Returns the folder of a realm.
  func folder(_ space: Realm) -> String { DataDirectory.of(space, in: data) }

  /// Opens the store of a realm.
  ///
  /// - Throws: ``CommandError`` if the folder's server has recorded a different kind of store: otherwise keys or users
  ///   would be created
  ///   in a database that no server reads.
  func open(_ space: Realm) async throws -> any FullStore {
    try StoreLocationFile.requireSameKind(as: self)
    return try await RealmStores.open(store, space, data: data)
  }
}
