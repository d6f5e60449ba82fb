/// An external dependency of the server with its availability probe.
public struct ExternalDependency: Sendable {
  /// Kind of dependency.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case database
    /// The free space of a remote database.
    case databaseStorage = "database_storage"
    /// The object store for blobs.
    case objectStore = "object_store"
    /// The directory for upload chunks, frame logs and work files, and by default for the database and blobs.
    case dataDirectory = "data_directory"
  }

  public let kind: Kind
  /// `true` if nothing essential works without it; otherwise some requests still succeed.
  public let isVital: Bool
  let look: @Sendable () async throws -> Void

  /// - Parameter look: throws if the dependency is not usable; has no side effects.
  public init(_ kind: Kind, isVital: Bool, look: @escaping @Sendable () async throws -> Void) {
    self.kind = kind
    self.isVital = isVital
    self.look = look
  }

  /// The problem code in API responses.
  public var code: String {
    switch kind {
    case .database: "database-unavailable"
    case .databaseStorage: "database-full"
    case .objectStore: "object-store-unavailable"
    case .dataDirectory: "data-directory-unavailable"
    }
  }

  /// Name of the missing dependency in English. It is public and reveals nothing about the deployment.
  public var what: String {
    switch kind {
    case .database: "the database"
    case .databaseStorage: "free space in the database"
    case .objectStore: "the object store"
    case .dataDirectory: "free space in the data folder"
    }
  }
}

/// An external store that can report its availability.
public protocol HealthCheckable: Sendable {
  /// Performs one minimal read-only request.
  ///
  /// - Throws: if there is no response, or one that shows that the store is unusable.
  func reach() async throws
  /// Checks for free space. A store on the server's own disk leaves this to the disk monitoring.
  ///
  /// - Throws: if a recent write was rejected for lack of space.
  func checkFreeSpace() async throws
}

extension HealthCheckable {
  public func checkFreeSpace() async throws {}
}
