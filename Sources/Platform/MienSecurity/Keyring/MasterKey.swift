package import Crypto
internal import MienCore

/// One key of a master keyring with its derived keys.
package struct MasterKey: Sendable {
  /// Identifier stored with encrypted data: 8 bytes that reveal nothing about the key.
  let id: [UInt8]
  let secrets: SymmetricKey
  let tokens: SymmetricKey
  let audit: SymmetricKey
  let blobs: SymmetricKey
  let frameLogs: SymmetricKey
  private let states: SymmetricKey
  private let columns: SymmetricKey
  /// The server's part of message encryption keys, 32 bytes.
  let messageSecret: [UInt8]

  /// Returns `nil` if the key is not 32 bytes long.
  init?(key: [UInt8]) {
    guard key.count == 32 else { return nil }
    // One key per purpose, so that no use of one can be exploited against another.
    func derived(_ use: String) -> SymmetricKey { SymmetricKey(data: Self.derived(use, of: key)) }
    id = Array(Self.derived("name of the key", of: key).prefix(8))
    secrets = derived("sealed secrets")
    tokens = derived("session tokens")
    audit = derived("audit")
    blobs = derived("blobs")
    frameLogs = derived("frame logs")
    states = derived("live checks")
    columns = derived("columns")
    messageSecret = Array(
      HMAC<SHA256>.authenticationCode(for: Array("mien message texts 1".utf8), using: derived("messages")))
  }

  /// Returns the part of a key that decrypts data that cannot be re-encrypted, 32 bytes.
  static func remains(_ use: RetiredKeyMaterial.Use, of key: [UInt8]) -> [UInt8]? {
    switch use {
    case .audit: derived("audit", of: key)
    case .tokens: derived("session tokens", of: key)
    case .messages: MasterKey(key: key)?.messageSecret
    case .frameLogs: derived("frame logs", of: key)
    }
  }

  /// Derives 32 bytes (one block) with HKDF, SHA-256 and no salt (RFC 5869).
  private static func derived(_ use: String, of key: [UInt8]) -> [UInt8] {
    let salt = SymmetricKey(data: [UInt8](repeating: 0, count: 32))
    let extracted = SymmetricKey(data: Array(HMAC<SHA256>.authenticationCode(for: key, using: salt)))
    return Array(HMAC<SHA256>.authenticationCode(for: Array("mien \(use) 1".utf8) + [1], using: extracted))
  }

  /// Returns the encryption key of a check's states.
  func stateKey(of check: CheckID) -> SymmetricKey {
    SymmetricKey(data: Array(HMAC<SHA256>.authenticationCode(for: Array(check.text.utf8), using: states)))
  }

  /// Returns the encryption key of one value: of one column of one record.
  package func columnKey(_ label: [UInt8]) -> SymmetricKey {
    SymmetricKey(data: Array(HMAC<SHA256>.authenticationCode(for: label, using: columns)))
  }
}
