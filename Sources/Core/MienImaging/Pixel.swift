/// A pixel: red, green and blue, 0…255 each, packed into four bytes so that one load fetches a whole pixel.
public struct Pixel: Hashable, Sendable, BitwiseCopyable {
  /// Bytes in memory order on little-endian machines: red, green, blue, unused.
  public var packed: UInt32

  public init(packed: UInt32) {
    self.packed = packed
  }

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    packed = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000
  }

  public var red: UInt8 { UInt8(truncatingIfNeeded: packed) }
  public var green: UInt8 { UInt8(truncatingIfNeeded: packed >> 8) }
  public var blue: UInt8 { UInt8(truncatingIfNeeded: packed >> 16) }

  public static let black = Pixel(red: 0, green: 0, blue: 0)
}
