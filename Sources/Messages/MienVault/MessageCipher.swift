internal import Crypto
internal import CryptoExtras
public import MienCore
public import MienExpressions

/// Encrypts texts with a sequence of expressions.
///
/// AES-256-GCM (NIST SP 800-38D) under a key of HKDF-SHA256 (RFC 5869): the server's secret, the message's random key and
/// the output of scrypt (RFC 7914) for the sequence are the key material, followed by the secret part of the message's
/// link if its sender asked for one; the message ID is the salt. There are few sequences, 3,750 of five steps, so the
/// security depends on the server's secret and on counting attempts. An attacker with both the secret and the database
/// pays scrypt's time and memory for each sequence tried.
///
/// Encryption and decryption take that time and memory, too: never call them on a thread that serves requests.
public struct MessageCipher: Sendable {
  static let keyLength = 32
  private static let nonceLength = 12
  /// Block size in bytes that texts are padded to, so that the ciphertext reveals little of their length.
  static let block = 64
  private static let overhead = 12 + 16
  static let boxLengths = (block + overhead)...((MessageText.maximumBytes + 2 + block) + overhead)

  private let secret: [UInt8]
  private let cost: ScryptParameters

  /// Returns `nil` if the secret is not 32 bytes long.
  ///
  /// - Parameter cost: parameters of scrypt for new texts; an encrypted text contains its own.
  public init?(secret: [UInt8], cost: ScryptParameters = .standard) {
    guard secret.count == Self.keyLength else { return nil }
    self.secret = secret
    self.cost = cost
  }

  /// Random bytes for one text.
  public struct Randomness: Sendable {
    let key: [UInt8]
    let nonce: [UInt8]

    public init(using generator: inout some RandomNumberGenerator) {
      key = MessageCipher.bytes(MessageCipher.keyLength, &generator)
      nonce = MessageCipher.bytes(MessageCipher.nonceLength, &generator)
    }
  }

  /// Encrypts a text.
  ///
  /// - Parameters:
  ///   - link: the secret part of the message's link, without which the text cannot be decrypted; `nil` for none.
  ///   - label: the message ID; it is bound to the text and must be given again to decrypt it.
  ///   - randomness: never used for another text.
  public func close(
    _ text: MessageText, under sequence: ExpressionSequence, link: String? = nil, as label: String,
    with randomness: Randomness
  ) -> EncryptedText {
    let body = Array(text.text.utf8)
    var padded = [UInt8(truncatingIfNeeded: body.count >> 8), UInt8(truncatingIfNeeded: body.count)] + body
    padded += [UInt8](repeating: 0, count: (Self.block - padded.count % Self.block) % Self.block)
    let key = key(randomness.key, Self.stretched(sequence, randomness.key, cost), link, label)
    guard let nonce = try? AES.GCM.Nonce(data: randomness.nonce),
      let box = try? AES.GCM.seal(padded, using: key, nonce: nonce, authenticating: Self.context(label)),
      let bytes = box.combined, let sealed = EncryptedText(key: randomness.key, box: Array(bytes), cost: cost)
    else { preconditionFailure("a nonce of 12 bytes is one that AES-GCM takes") }
    return sealed
  }

  /// Returns the decrypted text, or `nil` if the sequence is wrong, or if the data was modified or moved to another message.
  ///
  /// All wrong sequences take the same time: the library compares the tag in constant time.
  public func open(
    _ sealed: EncryptedText, with sequence: ExpressionSequence, link: String? = nil, as label: String
  ) -> MessageText? {
    Self.open(sealed, with: sequence, link: link, as: label, by: [self])
  }

  /// Returns the text, decrypted with the cipher that encrypted it. The sequence goes through scrypt once for all ciphers.
  public static func open(
    _ sealed: EncryptedText, with sequence: ExpressionSequence, link: String? = nil, as label: String,
    by vaults: [MessageCipher]
  ) -> MessageText? {
    let steps = stretched(sequence, sealed.key, sealed.cost)
    return vaults.lazy.compactMap { text(in: sealed, with: $0.key(sealed.key, steps, link, label), as: label) }.first
  }

  private static func text(in sealed: EncryptedText, with key: SymmetricKey, as label: String) -> MessageText? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed.box),
      let padded = try? AES.GCM.open(box, using: key, authenticating: context(label))
    else { return nil }
    let bytes = Array(padded)
    guard bytes.count >= 2 else { return nil }
    let count = Int(bytes[0]) << 8 | Int(bytes[1])
    guard count <= bytes.count - 2, let text = String(validating: bytes[2..<2 + count], as: UTF8.self) else {
      return nil
    }
    return try? MessageText(text)
  }

  private static func context(_ label: String) -> [UInt8] { Array("mien message 1/\(label)".utf8) }

  private func key(_ own: [UInt8], _ steps: [UInt8], _ link: String?, _ label: String) -> SymmetricKey {
    // All parts before the link have a fixed length, so the concatenation is unambiguous.
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: secret + own + steps + Array((link ?? "").utf8)), salt: Array(label.utf8),
      info: Array("mien message text 1".utf8), outputByteCount: 32)
  }

  /// Returns 12 steps and their count: the same length for all sequences, and different bytes for each.
  private static func bytes(of sequence: ExpressionSequence) -> [UInt8] {
    var steps = [UInt8](repeating: .max, count: 1 + ExpressionSequence.lengths.upperBound)
    steps[0] = UInt8(sequence.steps.count)
    for (index, step) in sequence.steps.enumerated() { steps[1 + index] = step.rawValue }
    return steps
  }

  /// Returns HMAC-SHA256 under the output of scrypt for a sequence.
  ///
  /// - Parameter own: the message's random key, which is the salt, so that a table of sequences cannot be used for two messages.
  private static func stretched(_ sequence: ExpressionSequence, _ own: [UInt8], _ cost: ScryptParameters) -> [UInt8] {
    let key = try? KDF.Scrypt.deriveKey(
      from: bytes(of: sequence), salt: own, outputByteCount: keyLength, rounds: 1 << cost.logRounds,
      blockSize: cost.blockSize, parallelism: cost.parallelism)
    guard let key else { preconditionFailure("scrypt takes parameters in their ranges") }
    return Array(HMAC<SHA256>.authenticationCode(for: Array("mien message sequence".utf8), using: key))
  }

  private static func bytes(_ count: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}

extension MessageCipher: CustomStringConvertible, CustomReflectable {
  public var description: String { "MessageCipher(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Text in its stored form, which cannot be decrypted without the server's secret and the sequence.
///
/// It contains neither the sequence nor a separate verifier for it: the authentication tag is the verifier, and checking it requires the
/// server's secret.
public struct EncryptedText: Hashable, Sendable {
  /// Random key of this message, 32 bytes.
  public let key: [UInt8]
  /// Nonce (12 bytes), ciphertext, and tag (16 bytes).
  public let box: [UInt8]
  public let cost: ScryptParameters

  /// Restores a text from a store; returns `nil` unless the lengths can be ones of ``MessageCipher``.
  public init?(key: [UInt8], box: [UInt8], cost: ScryptParameters) {
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
