/// Text in its stored form, which cannot be decrypted without the server's secret and the sequence.
///
/// It contains neither the sequence nor a separate verifier for it: the authentication tag is the verifier, and checking it requires the
/// server's secret.
public struct EncryptedText: Hashable, Sendable {
  /// Random key of this message, 32 bytes.
  public let key: [UInt8]
  /// Nonce (12 bytes), ciphertext, and tag (16 bytes).
  public let box: [UInt8]
  /// Parameters of the key derivation; `nil` for texts of version 1, which were encrypted without scrypt.
  public let cost: KeyDerivationCost?

  /// A sealed text read back from a store; nil unless the lengths can be ones of ``MessageCipher``.
  public init?(key: [UInt8], box: [UInt8], cost: KeyDerivationCost?) {
    guard key.count == MessageCipher.keyLength, MessageCipher.boxLengths.contains(box.count) else { return nil }
    self.key = key
    self.box = box
    self.cost = cost
  }
}

extension EncryptedText: CustomStringConvertible, CustomReflectable {
  public var description: String { "EncryptedText(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
