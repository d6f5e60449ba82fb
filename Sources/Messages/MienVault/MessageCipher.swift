internal import Crypto
public import MienExpressions

/// Encrypts texts with a sequence of expressions.
///
/// AES-256-GCM (NIST SP 800-38D) with a key derived by HKDF-SHA256 (RFC 5869): the server's secret, the message's random key, and the
/// sequence are the key material, and the message ID is the salt. There are few sequences (3,750 with five steps), so the security
/// depends on the server's secret and on limiting attempts: an attacker with the secret and the database can try all.
public struct MessageCipher: Sendable {
  static let keyLength = 32
  /// Block size in bytes to which texts are padded, so that the ciphertext reveals little about their length.
  static let block = 64
  private static let overhead = 12 + 16
  static let boxLengths = (block + overhead)...((MessageText.maximumBytes + 2 + block) + overhead)

  private let secret: [UInt8]

  /// Returns `nil` if the secret is not 32 bytes long.
  public init?(secret: [UInt8]) {
    guard secret.count == Self.keyLength else { return nil }
    self.secret = secret
  }

  /// Encrypts a text.
  ///
  /// - Parameter label: Message ID, which is bound to the text and required for decryption.
  public func close(
    _ text: MessageText, under sequence: ExpressionSequence, as label: String,
    using generator: inout some RandomNumberGenerator
  ) -> EncryptedText {
    let own = Self.bytes(Self.keyLength, &generator)
    let body = Array(text.text.utf8)
    var padded = [UInt8(truncatingIfNeeded: body.count >> 8), UInt8(truncatingIfNeeded: body.count)] + body
    padded += [UInt8](repeating: 0, count: (Self.block - padded.count % Self.block) % Self.block)
    guard let nonce = try? AES.GCM.Nonce(data: Self.bytes(12, &generator)),
      let box = try? AES.GCM.seal(
        padded, using: key(own, sequence, label), nonce: nonce, authenticating: Self.context(label)),
      let bytes = box.combined, let sealed = EncryptedText(key: own, box: Array(bytes))
    else { preconditionFailure("a nonce of 12 bytes is one that AES-GCM takes") }
    return sealed
  }

  /// Returns the decrypted text, or `nil` if the sequence is wrong, or if the data was modified or moved to another message.
  ///
  /// All wrong sequences take the same time: the library compares the tag in constant time.
  public func open(_ sealed: EncryptedText, with sequence: ExpressionSequence, as label: String) -> MessageText? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed.box),
      let padded = try? AES.GCM.open(
        box, using: key(sealed.key, sequence, label), authenticating: Self.context(label))
    else { return nil }
    let bytes = Array(padded)
    guard bytes.count >= 2 else { return nil }
    let count = Int(bytes[0]) << 8 | Int(bytes[1])
    guard count <= bytes.count - 2, let text = String(validating: bytes[2..<2 + count], as: UTF8.self) else {
      return nil
    }
    return try? MessageText(text)
  }

  /// Derives the key. The step count and 12 steps are encoded at a fixed length, and each sequence has a unique encoding.
  private func key(_ own: [UInt8], _ sequence: ExpressionSequence, _ label: String) -> SymmetricKey {
    var steps = [UInt8](repeating: .max, count: 1 + ExpressionSequence.lengths.upperBound)
    steps[0] = UInt8(sequence.steps.count)
    for (index, step) in sequence.steps.enumerated() { steps[1 + index] = step.rawValue }
    return HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: secret + own + steps), salt: Array(label.utf8),
      info: Array("mien message text 1".utf8), outputByteCount: 32)
  }

  private static func context(_ label: String) -> [UInt8] { Array("mien message 1/\(label)".utf8) }

  private static func bytes(_ count: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}

extension MessageCipher: CustomStringConvertible, CustomReflectable {
  public var description: String { "MessageCipher(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
