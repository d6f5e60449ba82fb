internal import Foundation
internal import MienFiles
package import MienPlatform
package import MienSecurity
package import MienAccess
package import MienChecks
internal import MienStore

/// Location of a server's records: its data folder, and the URL of the database if that is not in the folder.
package struct StoreLocation: Sendable {
  /// Syntax of `--store`. An invalid value is never echoed: it may contain a password.
  package static let hint = """
    --store takes postgres://user:password@host:port/database. In user and password write @ : / # % as %40 %3A %2F %23 \
    %25; after a question mark libpq's words, pgbouncer=true, connection_limit=1…100, pool_timeout=1…600 and schema=name are understood.
    """

  /// Value of `MIEN_STORE` in the environment, which is hidden from other users, unlike a command's options.
  package static var fromEnvironment: String? { ProcessInfo.processInfo.environment["MIEN_STORE"] }

  /// The data folder.
  package let data: String
  /// URL of the database; `nil` for the databases in the folder.
  let url: String?

  /// - Parameter store: URL of the database; `nil` uses the environment's, or the databases in the folder.
  package init(data: String, store: String?) {
    self.data = data
    url = store ?? Self.fromEnvironment
  }

  /// `true` for the URL of a database.
  package static func isURL(_ text: String) -> Bool { PostgresURL(text) != nil }

  /// `true` if the records are in an external database.
  package var isExternal: Bool { url != nil }

  /// Returns the folder of a realm.
  package func folder(_ realm: Realm) -> String { DataDirectory.of(realm, in: data) }

  /// Returns the path of a realm's embedded database.
  package func database(_ realm: Realm) -> String { folder(realm) + "/" + DataDirectory.database }

  /// Returns the master keyring of a realm.
  package func keyring(_ realm: Realm) throws -> MasterKeyring { try DataDirectory.keyring(folder(realm)) }

  /// Returns the address of the external database, or `nil` for the embedded one.
  func address() throws -> PostgresURL? {
    guard let url else { return nil }
    guard let address = PostgresURL(url) else { throw OperationError(Self.hint) }
    return address
  }

  /// Opens the database of a realm for a command that runs alongside a server.
  ///
  /// - Throws: ``OperationError`` if the folder's server has recorded a different kind of store: otherwise keys or
  ///   users would be created in a database that no server reads.
  package func open(_ realm: Realm) async throws -> any ServerStore {
    try StoreLocationFile.requireSameKind(as: self)
    return try await openUnchecked(realm)
  }

  /// Opens the database of a realm, whatever the data folder has recorded.
  ///
  /// - Parameter server: name of a server that claims jobs; other callers need none.
  func openUnchecked(
    _ realm: Realm, server: String = "none", times: OperationTimings = OperationTimings()
  ) async throws -> any ServerStore {
    guard let address = try address() else { return try DataDirectory.store(folder(realm), times: times) }
    // Keyrings, videos and uploads are in the folder with either database.
    try DataDirectory.make(folder(realm))
    return try await PostgresStore(
      address, realm: realm, server: server, keyring: try keyring(realm), times: times)
  }

  /// Returns `true` if a realm's database is in use and thus holds data encrypted with a server's key. Creates and
  /// changes nothing in the folder.
  func isInUse(_ realm: Realm) async throws -> Bool {
    if let address = try address() { return try await PostgresStore.isInUse(at: address, realm: realm) }
    let size = try? FileManager.default.attributesOfItem(atPath: database(realm))[.size] as? Int
    return (size ?? 0) > 0
  }
}

// Services for commands that run alongside a server.
extension StoreLocation {
  /// Returns the audit log of a realm.
  package func auditLog(_ realm: Realm) async throws -> AuditLog {
    AuditLog(store: try await open(realm), keyring: try keyring(realm), clock: SystemClock())
  }

  /// Returns the service that manages the API keys of a realm.
  package func apiKeys(_ realm: Realm) async throws -> APIKeyService {
    let (store, clock) = (try await open(realm), SystemClock())
    let audit = AuditLog(store: store, keyring: try keyring(realm), clock: clock)
    return APIKeyService(
      realm, ring: store, clock: clock, audit: audit, generator: SystemRandomNumberGenerator())
  }

  /// Returns the AWS-compatible access keys of a realm.
  package func accessKeys(_ realm: Realm) async throws -> AccessKeys {
    AccessKeys(store: try await open(realm), keyring: try keyring(realm), realm: realm)
  }

  /// Returns the service that manages the users of a realm.
  package func accounts(_ realm: Realm) async throws -> AccountService {
    let (store, clock) = (try await open(realm), SystemClock())
    let audit = AuditLog(store: store, keyring: try keyring(realm), clock: clock)
    return AccountService(
      store: store, clock: clock, audit: audit, realm: realm, generator: SystemRandomNumberGenerator())
  }
}
