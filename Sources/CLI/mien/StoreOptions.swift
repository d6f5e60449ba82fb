import ArgumentParser
import MienService

/// Where a command finds what a server keeps: the same two options for all that work beside one.
struct StoreOptions: ParsableArguments {
  @Option(help: "The folder with the server's database.")
  var data = "data"
  @Option(help: ArgumentHelp("The server's --store, where it has one.", valueName: "url"))
  var store: String?

  /// True when it is no database in the folder.
  var isElsewhere: Bool { store != nil || RealmStores.named != nil }

  /// The folder of a space.
  func folder(_ space: Realm) -> String { DataDirectory.of(space, in: data) }

  /// The store of a space.
  ///
  /// - Throws: ``CommandError`` where the server of the folder has noted that it keeps its records in another kind of place: a key
  ///   or a user would be made where nobody looks.
  func open(_ space: Realm) async throws -> any FullStore {
    try StoreLocationFile.requireSameKind(as: self)
    return try await RealmStores.open(store, space, data: data)
  }
}
