internal import Crypto
internal import MienModel

/// The server's own key, which lies beside the database and not in it: whoever copies only the database can neither
/// sign requests nor results, nor learn a session's token.
public struct Seal: Sendable, CustomStringConvertible, CustomReflectable {
  private let secrets: SymmetricKey
  private let tokens: SymmetricKey
  private let messages: SymmetricKey
  private let audit: SymmetricKey

  /// Refuses (nil) keys that are not 32 bytes long.
  public init?(key: [UInt8]) {
    guard key.count == 32 else { return nil }
    let root = SymmetricKey(data: key)
    // One key for each use (HKDF, RFC 5869), so that no use can be played against another.
    secrets = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: root, info: Array("mien sealed secrets 1".utf8), outputByteCount: 32)
    tokens = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: root, info: Array("mien session tokens 1".utf8), outputByteCount: 32)
    messages = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: root, info: Array("mien messages 1".utf8), outputByteCount: 32)
    audit = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: root, info: Array("mien audit 1".utf8), outputByteCount: 32)
  }

  /// 32 bytes for a new seal.
  public static func makeKey(using dice: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
  }

  /// Encrypts with AES-256-GCM; `label` is bound to the secret and must be given again to open it.
  ///
  /// - Returns: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
  func close(_ secret: [UInt8], as label: String, using dice: inout some RandomNumberGenerator) -> [UInt8] {
    let nonce = (0..<12).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    guard let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.seal(secret, using: secrets, nonce: nonce, authenticating: Array(label.utf8)),
      let bytes = box.combined
    else { preconditionFailure("a nonce of 12 bytes is one that AES-GCM takes") }
    return Array(bytes)
  }

  /// What ``close(_:as:using:)`` closed; nil when it was closed with another key or label, or was changed.
  func open(_ sealed: [UInt8], as label: String) -> [UInt8]? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed),
      let secret = try? AES.GCM.open(box, using: secrets, authenticating: Array(label.utf8))
    else { return nil }
    return Array(secret)
  }

  /// The secret in the tokens of a session that a dialect created: always the same one, and nothing of it is kept.
  func secret(of session: SessionID) -> String {
    Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: Array(session.text.utf8), using: tokens)))
  }

  /// The server's part of the keys that messages are sealed under, 32 bytes.
  var messageSecret: [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Array("mien message texts 1".utf8), using: messages))
  }

  /// Ties an entry of the audit log to the one before, 32 bytes.
  func auditLink(_ bytes: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: audit))
  }

  public var description: String { "Seal(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
