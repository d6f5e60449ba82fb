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
  func open(_ space: Space) async throws -> any ServerStore { try await ServerStores.open(store, space, data: data) }
}
