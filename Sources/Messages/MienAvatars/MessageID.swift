/// Message ID: 65 random bits with three check characters, written as `XXXX-XXXX-XXXX-XXXX`.
///
/// The alphabet is Crockford's base 32 (no I, L, O, U). The check characters are those of a Reed-Solomon code over 32 elements: one to
/// three wrong characters at any position and any two transposed characters are always detected; of all other errors, one in 32,768 goes
/// undetected.
public struct MessageID: Hashable, Sendable, CustomStringConvertible {
  /// Number of characters without the hyphens.
  public static let length = 16
  /// Number of characters without the check characters.
  public static let dataLength = 13
  /// Digits by value.
  public static let alphabet: [Character] = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  /// Values 0…31 of the 16 characters, the check characters last.
  public let digits: [UInt8]

  /// Creates a random message ID, which is unguessable if the generator is cryptographically secure.
  ///
  /// - Parameters:
  ///   - leading: Prefix of values 0…31, at most 13; a shorter prefix makes the ID harder to guess.
  ///   - generator: Source of randomness.
  public init(leading: [UInt8] = [], using generator: inout some RandomNumberGenerator) {
    precondition(leading.count <= Self.dataLength && leading.allSatisfy { $0 < 32 })
    digits = Self.withCheck(
      leading + (leading.count..<Self.dataLength).map { _ in UInt8.random(in: 0..<32, using: &generator) })
  }

  /// Creates a message ID from 16 values. Returns `nil` if there are not 16, if one is not below 32, or if the check fails.
  public init?(digits: [UInt8]) {
    guard digits.count == Self.length, digits.allSatisfy({ $0 < 32 }),
      Self.withCheck(Array(digits.prefix(Self.dataLength))) == digits
    else { return nil }
    self.digits = digits
  }

  /// Parses a message ID as people type it: case-insensitive, hyphens and spaces anywhere, O for 0, I and L for 1.
  ///
  /// - Returns: `nil` if the text does not contain 16 characters of the alphabet, or if the check characters do not match.
  public init?(text: some StringProtocol) {
    guard text.utf8.count <= 64 else { return nil }
    var digits: [UInt8] = []
    for character in text where character != "-" && character != " " {
      guard let value = Self.value(character) else { return nil }
      digits.append(value)
    }
    self.init(digits: digits)
  }

  /// Message ID in groups of four characters separated by hyphens.
  public var text: String {
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, index % 4 == 0 { text.append("-") }
      text.append(Self.alphabet[Int(digit)])
    }
    return text
  }

  public var description: String { text }

  private static func value(_ character: Character) -> UInt8? {
    guard let ascii = character.asciiValue else { return nil }
    let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(ascii) ? ascii - 32 : ascii
    switch upper {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return alphabet.firstIndex(of: Character(UnicodeScalar(upper))).map { UInt8($0) }
    }
  }

  // MARK: - Finite field of 32 elements, modulo x⁵ + x² + 1

  /// (x + 2)(x + 4)(x + 8) without its leading coefficient, highest power first.
  private static let generator: [UInt8] = {
    var product: [UInt8] = [1]
    for root: UInt8 in [2, 4, 8] {
      var next = [UInt8](repeating: 0, count: product.count + 1)
      for (index, factor) in product.enumerated() {
        next[index] ^= factor
        next[index + 1] ^= multiply(factor, root)
      }
      product = next
    }
    return Array(product.dropFirst())
  }()

  private static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var product: UInt8 = 0
    var shifted = left
    for bit in 0..<5 {
      if right >> bit & 1 == 1 { product ^= shifted }
      shifted = shifted & 0x10 == 0 ? shifted << 1 : (shifted << 1 ^ 0b10_0101) & 0x1F
    }
    return product
  }

  /// Returns the data followed by the remainder of data · x³ divided by the generator polynomial.
  private static func withCheck(_ data: [UInt8]) -> [UInt8] {
    var rest: [UInt8] = [0, 0, 0]
    for digit in data {
      let factor = digit ^ rest[0]
      rest = [
        rest[1] ^ multiply(factor, generator[0]), rest[2] ^ multiply(factor, generator[1]),
        multiply(factor, generator[2]),
      ]
    }
    return data + rest
  }
}
