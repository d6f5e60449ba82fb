/// Soft color that a client shows on the whole screen during a light task.
///
/// The colors have about the same luminance, so that a change between two of them is not a flash as defined by WCAG 2.3.1,
/// and none is a saturated red (a test shows both). The browser client has the same list and shows nothing else.
public enum LightColor: Int, Hashable, Sendable, CaseIterable {
  /// Shown before the first color of a sequence.
  case pearl
  case rose, leaf, sky, sun, violet, lagoon

  /// Colors that a sequence consists of.
  public static let sequence: [LightColor] = allCases.filter { $0 != .pearl }

  /// Red, green and blue of sRGB.
  public var sRGB: (red: UInt8, green: UInt8, blue: UInt8) {
    switch self {
    case .pearl: (0xBE, 0xBE, 0xBE)
    case .rose: (0xFF, 0xAA, 0xAA)
    case .leaf: (0x95, 0xCE, 0x95)
    case .sky: (0x95, 0xB4, 0xFF)
    case .sun: (0xE7, 0xBC, 0x59)
    case .violet: (0xF3, 0x99, 0xF3)
    case .lagoon: (0x59, 0xCB, 0xE1)
    }
  }

  /// Wire format of the color: `#rrggbb`.
  public var code: String {
    let (red, green, blue) = sRGB
    return "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Red, green and blue in linear light; white is 1 in each.
  public var linear: SIMD3<Double> {
    switch self {
    case .pearl: SIMD3(0.515, 0.515, 0.515)
    case .rose: SIMD3(1, 0.402, 0.402)
    case .leaf: SIMD3(0.301, 0.617, 0.301)
    case .sky: SIMD3(0.301, 0.456, 1)
    case .sun: SIMD3(0.799, 0.503, 0.1)
    case .violet: SIMD3(0.896, 0.319, 0.896)
    case .lagoon: SIMD3(0.1, 0.597, 0.753)
    }
  }
}
