/// A secret that the server needs in the clear and therefore cannot keep as a digest; kept closed under a ``MasterKeyring``.
public struct EncryptedSecret: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An access key of the AWS dialect; named by its id.
    case awsAccessKey = "aws-access-key"
    /// The key that results are signed with; named by its algorithm.
    case signingKey = "signing-key"
  }

  public let kind: Kind
  /// 1 to 64 characters; not secret.
  public let name: String
  /// What `MasterKeyring` made of it.
  public let sealed: [UInt8]
  public let created: UnixTime

  public init(kind: Kind, name: String, sealed: [UInt8], created: UnixTime) {
    self.kind = kind
    self.name = name
    self.sealed = sealed
    self.created = created
  }

  /// Binds the ciphertext to its place, so that one secret cannot be moved to where another is expected.
  static func label(_ kind: Kind, _ name: String) -> String { "\(kind.rawValue)/\(name)" }
}

/// Keeps sealed secrets. It cannot open them.
public protocol EncryptedSecretStore: Sendable {
  /// Keeps a secret. Throws ``StoreError/Code/duplicate`` when there is one of this kind and name.
  func save(_ secret: EncryptedSecret) async throws
  /// The secret of this kind and name; nil when there is none.
  func secret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> EncryptedSecret?
  /// All secrets of a kind, oldest first.
  func secrets(_ kind: EncryptedSecret.Kind) async throws -> [EncryptedSecret]
  /// Forgets a secret; false when there was none.
  func removeSecret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> Bool
}
