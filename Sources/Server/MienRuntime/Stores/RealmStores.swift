internal import Foundation
internal import MienFiles
internal import MienPlatform
internal import MienStore

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
