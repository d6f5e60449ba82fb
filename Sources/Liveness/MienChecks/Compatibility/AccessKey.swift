public import MienPlatform
public import MienSecurity
internal import MienCore

/// An access key of the AWS-compatible API, as shown once when it is created.
public struct AccessKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// 20 characters; not secret.
  public let id: String
  /// 40 characters.
  public let secret: String

  public var description: String { "AccessKey(\(id), withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Creates, lists and deletes access keys, as `mien keys` does.
///
/// Signature Version 4 requires the secret itself on the server, so it is stored encrypted and not as a digest.
public struct AccessKeys: Sendable {
  private let store: any EncryptedSecretStore
  private let keyring: MasterKeyring
  private let realm: Realm

  public init(store: any EncryptedSecretStore, keyring: MasterKeyring, realm: Realm) {
    self.store = store
    self.keyring = keyring
    self.realm = realm
  }

  /// Creates and stores an access key.
  public func make(at time: UnixTime, using generator: inout some RandomNumberGenerator) async throws -> AccessKey {
    // The alphabets of AWS access keys, as clients expect them.
    let id =
      realm.accessKeyPrefix
      + Self.text(of: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8), count: 16, using: &generator)
    let secret = RandomTokens.make(prefix: "", count: 40, using: &generator)
    let sealed = keyring.close(Array(secret.utf8), as: EncryptedSecret.label(.awsAccessKey, id), using: &generator)
    try await store.save(EncryptedSecret(kind: .awsAccessKey, name: id, sealed: sealed, created: time))
    return AccessKey(id: id, secret: secret)
  }

  /// Returns the IDs of all access keys with their creation times, oldest first.
  public func list() async throws -> [(id: String, created: UnixTime)] {
    try await store.secrets(.awsAccessKey).map { ($0.name, $0.created) }
  }

  /// Deletes an access key; requests signed with it are rejected from then on. Returns `false` if there was none.
  public func remove(_ id: String) async throws -> Bool { try await store.removeSecret(.awsAccessKey, id) }

  /// Returns the secret of a key; `nil` if there is no such key.
  func secret(of id: String) async throws -> [UInt8]? {
    guard let kept = try await store.secret(.awsAccessKey, id) else { return nil }
    guard let secret = keyring.open(kept.sealed, as: EncryptedSecret.label(.awsAccessKey, id)) else {
      throw StoreError(
        .unavailable,
        reason:
          "An access key cannot be decrypted with the server's keyring. Restore the keyring file that belongs to this database."
      )
    }
    return secret
  }

  private static func text(of alphabet: [UInt8], count: Int, using generator: inout some RandomNumberGenerator)
    -> String
  {
    String(
      decoding: (0..<count).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }, as: UTF8.self)
  }
}
