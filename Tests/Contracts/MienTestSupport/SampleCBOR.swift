/// Encodes CBOR (RFC 8949) in its shortest form, for parser tests.
public enum SampleCBOR {
  public static func head(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
    func bytes(_ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
    return switch number {
    case ..<24: [kind << 5 | UInt8(number)]
    case ..<0x100: [kind << 5 | 24] + bytes(1)
    case ..<0x1_0000: [kind << 5 | 25] + bytes(2)
    case ..<0x1_0000_0000: [kind << 5 | 26] + bytes(4)
    default: [kind << 5 | 27] + bytes(8)
    }
  }

  public static func number(_ number: Int) -> [UInt8] {
    number >= 0 ? head(0, UInt64(number)) : head(1, UInt64(-1 - number))
  }
  public static func bytes(_ bytes: [UInt8]) -> [UInt8] { head(2, UInt64(bytes.count)) + bytes }
  public static func text(_ text: String) -> [UInt8] { head(3, UInt64(text.utf8.count)) + Array(text.utf8) }
  public static func array(_ items: [[UInt8]]) -> [UInt8] { head(4, UInt64(items.count)) + items.flatMap(\.self) }
  /// Encodes a map from encoded keys and values.
  public static func map(_ entries: [([UInt8], [UInt8])]) -> [UInt8] {
    head(5, UInt64(entries.count)) + entries.flatMap { $0.0 + $0.1 }
  }
}
