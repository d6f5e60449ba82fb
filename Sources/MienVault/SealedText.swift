/// A text as it is kept: without the server's secret and the sequence it opens to nobody.
///
/// Neither the sequence nor anything to verify a sequence with is part of it: the authentication tag is the verifier, and
/// checking it needs the server's secret.
public struct SealedText: Hashable, Sendable {
  /// The message's own random key, 32 bytes.
  public let key: [UInt8]
  /// 12 bytes of nonce, the ciphertext, 16 bytes of tag.
  public let box: [UInt8]
  /// What deriving the key costs; nil for texts of version 1, which were sealed without scrypt.
  public let cost: KeyDerivationCost?

  /// A sealed text read back from a store; nil unless the lengths can be ones of ``Vault``.
  public init?(key: [UInt8], box: [UInt8], cost: KeyDerivationCost?) {
    guard key.count == Vault.keyLength, Vault.boxLengths.contains(box.count) else { return nil }
    self.key = key
    self.box = box
    self.cost = cost
  }
}

extension SealedText: CustomStringConvertible, CustomReflectable {
  public var description: String { "SealedText(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
