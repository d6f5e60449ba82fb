internal import MienSecurity
internal import Crypto
internal import MienCore

/// Encrypts the states of one performance: AES-256-GCM under a key derived with HKDF-SHA256 (RFC 5869) from the
/// server's secret for messages and the secret in the performance's token.
///
/// A state contains the performed expressions and the text that they opened. Tokens are not stored: the database and
/// even the server's master key are not enough to decrypt a state.
struct PerformanceStateCipher: Sendable {
  /// One for each of the keyring's keys for messages, newest first.
  private let keys: [SymmetricKey]

  /// - Parameter secret: the secret in the performance's token.
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

  /// Decrypts the output of ``close(_:using:)``; returns `nil` with another token or for another performance, or if it
  /// was modified.
  func open(_ sealed: [UInt8]) -> [UInt8]? {
    keys.lazy.compactMap { MasterKeyring.opened(sealed, under: $0) }.first
  }
}

extension PerformanceStateCipher: CustomStringConvertible, CustomReflectable {
  var description: String { "PerformanceStateCipher(withheld)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
