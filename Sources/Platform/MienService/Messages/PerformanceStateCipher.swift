internal import Crypto
internal import MienCore

/// Seals the states of one performance: AES-256-GCM under a key of HKDF-SHA256 (RFC 5869) of the server's secret for messages
/// and of the secret in the performance's token.
///
/// A state tells what somebody performed, and what it opened. No store keeps a token: whoever has the database and even the
/// server's seal opens no state.
struct PerformanceStateCipher: Sendable {
  /// One for each of the seal's keys that messages may be under, the newest first.
  private let keys: [SymmetricKey]

  /// - Parameter secret: what the performance's token carries.
  init(_ keyring: MasterKeyring, secret: String, of id: CheckID) {
    keys = keyring.messageSecrets.map { key in
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: key), salt: Array(secret.utf8),
        info: Array("mien performance 1/\(id.text)".utf8), outputByteCount: 32)
    }
  }

  /// - Returns: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
  func close(_ state: [UInt8], using generator: inout some RandomNumberGenerator) -> [UInt8] {
    MasterKeyring.box(state, under: keys[0], nonce: MasterKeyring.nonce(using: &generator))
  }

  /// What ``close(_:using:)`` closed; nil with another token, of another performance, or when it was changed.
  func open(_ sealed: [UInt8]) -> [UInt8]? {
    keys.lazy.compactMap { MasterKeyring.opened(sealed, under: $0) }.first
  }
}

extension PerformanceStateCipher: CustomStringConvertible, CustomReflectable {
  var description: String { "PerformanceSeal(withheld)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
