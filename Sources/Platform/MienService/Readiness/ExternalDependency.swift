/// A part outside the process that a server works with, and how to see that it is there.
public struct ExternalDependency: Sendable {
  /// Which part it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case database
    /// The room that a database elsewhere has.
    case databaseRoom = "database_room"
    /// The object store of the files.
    case objectStore = "object_store"
    /// The folder of pieces of uploads, of reels, of what is worked on, and by default of database and files.
    case dataFolder = "data_folder"
  }

  public let kind: Kind
  /// True where nothing that matters can be done without it; else a part of the requests is answered all the same.
  public let isVital: Bool
  let look: @Sendable () async throws -> Void

  /// - Parameter look: throws when the part cannot be worked with; leaves nothing behind.
  public init(_ kind: Kind, isVital: Bool, look: @escaping @Sendable () async throws -> Void) {
    self.kind = kind
    self.isVital = isVital
    self.look = look
  }

  /// The obstacle's code, as interfaces tell it.
  public var code: String {
    switch kind {
    case .database: "database-unavailable"
    case .databaseRoom: "database-full"
    case .objectStore: "object-store-unavailable"
    case .dataFolder: "data-folder-unavailable"
    }
  }

  /// What is missing, in words. Anybody may read them: they tell nothing of what is behind the server.
  public var what: String {
    switch kind {
    case .database: "the database"
    case .databaseRoom: "room in the database"
    case .objectStore: "the object store"
    case .dataFolder: "room in the data folder"
    }
  }
}
