import ArgumentParser
import MienService

/// Where a command finds what a server keeps: the same two options for all that work beside one.
struct StorePlace: ParsableArguments {
  @Option(help: "The folder with the server's database.")
  var data = "data"
  @Option(help: ArgumentHelp("The server's --store, where it has one.", valueName: "url"))
  var store: String?

  /// True when it is no database in the folder.
  var isElsewhere: Bool { store != nil || ServerStores.named != nil }

  /// The folder of a space.
  func folder(_ space: Space) -> String { DataFolder.of(space, in: data) }

  /// The store of a space.
  ///
  /// - Throws: ``ToolError`` where the server of the folder has noted that it keeps its records in another kind of place: a key
  ///   or a user would be made where nobody looks.
  func open(_ space: Space) async throws -> any ServerStore {
    try StoreNote.requireSameKind(as: self)
    return try await ServerStores.open(store, space, data: data)
  }
}
