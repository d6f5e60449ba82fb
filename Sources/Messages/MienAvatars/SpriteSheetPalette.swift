internal import MienImaging

/// Palette of one avatar's animations: the colors of the sheet, then the levels of the label, then the transparent color.
struct SpriteSheetPalette {
  /// Maximum number of sheet colors.
  static let capacity = 256 - LabelFont.levels - 1

  let colors: [Pixel]
  /// `true` if the palette contains every color of the sheet.
  let isExact: Bool

  /// Dark background and light characters of the label, which the detector searches for.
  static let dark = Pixel(red: 38, green: 27, blue: 43)
  static let light = Pixel(red: 255, green: 252, blue: 246)

  /// Returns the palette of a sheet and the nearest palette index for each pixel.
  ///
  /// - Parameter pixels: All pixels of the sheet, already blended onto the background.
  static func make(_ pixels: ContiguousArray<Pixel>) -> (palette: SpriteSheetPalette, indices: ContiguousArray<UInt8>) {
    let counted = ColorHistogram(pixels, most: capacity)
    if counted.isComplete { return (SpriteSheetPalette(colors: counted.colors, isExact: true), counted.indices) }
    let colors = ColorQuantizer.colors(of: pixels, count: capacity)
    return (SpriteSheetPalette(colors: colors, isExact: false), NearestColorIndex(colors).indices(pixels))
  }

  /// Index of the first, darkest label level.
  var stamp: UInt8 { UInt8(colors.count) }
  var transparent: UInt8 { UInt8(colors.count + LabelFont.levels) }
  /// Bits per index, 2…8.
  var bits: Int { max(2, Int.bitWidth - (colors.count + LabelFont.levels).leadingZeroBitCount) }

  /// Red, green, and blue of all colors, padded to a power of two.
  var table: [UInt8] {
    var all = colors
    for level in 0..<LabelFont.levels {
      func mix(_ dark: UInt8, _ light: UInt8) -> UInt8 {
        UInt8((Int(dark) * (LabelFont.levels - 1 - level) + Int(light) * level) / (LabelFont.levels - 1))
      }
      all.append(
        Pixel(
          red: mix(Self.dark.red, Self.light.red), green: mix(Self.dark.green, Self.light.green),
          blue: mix(Self.dark.blue, Self.light.blue)))
    }
    while all.count < 1 << bits { all.append(.black) }
    return all.flatMap { [$0.red, $0.green, $0.blue] }
  }
}
