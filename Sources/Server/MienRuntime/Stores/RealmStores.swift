internal import Foundation
package import MienAccess
package import MienCaptures
package import MienChecks
internal import MienFiles
package import MienMessageService
package import MienPlatform
package import MienScanService
package import MienSecurity
package import MienStore
package import MienWebhooks

/// Databases of both realms.
struct RealmStores: Sendable {
  private let stores: PerRealm<any ServerStore>
  /// Digests of the keyring files by realm folder, taken before any record was read.
  private let keyringDigests: [String: String]

  /// Opens the databases of a server at their location; creates what does not exist.
  init(_ location: StoreLocation, times: OperationTimings) async throws {
    var digests: [String: String] = [:]
    for folder in Realm.allCases.map({ location.folder($0) }) {
      try DataDirectory.make(folder)
      // Creates the keyring if it does not exist.
      _ = try DataDirectory.keyring(folder)
      digests[folder] = try DataDirectory.keyringDigest(folder)
    }
    keyringDigests = digests
    var generator = SystemRandomNumberGenerator()
    let server = "srv_" + String(UInt64.random(in: 0 ... .max, using: &generator), radix: 36)
    stores = try await PerRealm { try await location.openUnchecked($0, server: server, times: times) }
  }

  subscript(realm: Realm) -> any ServerStore { stores[realm] }

  /// `true` if several servers can share the databases.
  var isShared: Bool { stores[.live].cluster != nil }

  /// Membership lists of both realms; empty if only one server can use the databases.
  var clusters: [any ClusterStore] { stores.all.compactMap(\.cluster) }

  /// Verifies that the keyrings are still the ones that were read. Call it once this server's membership blocks key
  /// rotation.
  ///
  /// A server waits while a key rotation runs. By then it has read the old key, which no longer exists afterwards:
  /// anything it encrypted could not be decrypted.
  func requireSameKeyrings() throws {
    for (folder, digest) in keyringDigests {
      guard try DataDirectory.keyringDigest(folder) == digest else {
        throw OperationError(
          """
          \(folder)/\(DataDirectory.keyringName) was exchanged while this server started, which has read the old one. Start it \
          again.
          """)
      }
    }
  }
}

/// Database of one realm.
package protocol ServerStore: CheckStore, APIKeyStore, EnrollmentStore, EncryptedSecretStore, CompatibilitySessionStore,
  ImageStore, LockoutStore, ClipStore, WebhookStore, MessageStore, APIKeyLookup, AuditStore, CaptureStore, ScanStore,
  AccountStore, SnapshotStore, PerformanceStore, AttemptWaitStore, RetentionStore, EncryptedColumnStore,
  HealthCheckable, TemplateStore
{
  /// Membership list of the servers that share the database; `nil` if only one server can use it.
  var cluster: (any ClusterStore)? { get }
}

/// Membership list of the servers that share a database.
package protocol ClusterStore: Sendable {
  func join() async throws -> PostgresStore.JoinResult
  func finishJoining() async throws
  func heartbeat() async throws
  func leaveCluster() async throws
  func blobPlace(orElse candidate: BlobID?, isAlone: Bool) async throws -> BlobID?
}

extension SQLiteStore: ServerStore {
  package var cluster: (any ClusterStore)? { nil }
}

extension PostgresStore: ServerStore, ClusterStore {
  package var cluster: (any ClusterStore)? { self }
}
