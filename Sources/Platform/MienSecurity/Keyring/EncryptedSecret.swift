public import MienPlatform

/// A secret that the server needs in plaintext and therefore cannot store as a digest; encrypted under a
/// ``MasterKeyring``.
public struct EncryptedSecret: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An access key of the AWS-compatible API; its name is the key ID.
    case awsAccessKey = "aws-access-key"
    /// The key that signs results; its name is the algorithm.
    case signingKey = "signing-key"
    /// The private key of the operator's certificate for content credentials, in PEM.
    case provenanceKey = "provenance-key"
  }

  public let kind: Kind
  /// Not secret; 1 to 64 characters.
  public let name: String
  /// Ciphertext produced by `MasterKeyring`.
  public let sealed: [UInt8]
  public let created: UnixTime

  public init(kind: Kind, name: String, sealed: [UInt8], created: UnixTime) {
    self.kind = kind
    self.name = name
    self.sealed = sealed
    self.created = created
  }

  /// Returns a label that binds the ciphertext to its kind and name, so that one secret cannot be substituted for
  /// another.
  package static func label(_ kind: Kind, _ name: String) -> String { "\(kind.rawValue)/\(name)" }
}

/// Stores encrypted secrets. It cannot decrypt them.
public protocol EncryptedSecretStore: Sendable {
  /// Stores a secret. Throws ``StoreError/Code/duplicate`` if there is one of this kind and name.
  func save(_ secret: EncryptedSecret) async throws
  /// Returns the secret of this kind and name; `nil` if there is none.
  func secret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> EncryptedSecret?
  /// Returns all secrets of a kind, oldest first.
  func secrets(_ kind: EncryptedSecret.Kind) async throws -> [EncryptedSecret]
  /// Deletes a secret; returns `false` if there was none.
  func removeSecret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> Bool
}
