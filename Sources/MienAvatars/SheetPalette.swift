internal import MienImaging

/// The colours of one avatar's animations: the sheet's own, then the stamp's levels, then the transparent one.
struct SheetPalette {
  /// How many colours of the sheet there is room for.
  static let room = 256 - Lettering.levels - 1

  let colours: [Pixel]
  /// True when every colour of the sheet is in the palette.
  let isExact: Bool

  /// The dark of the plate and the light of the letters, which the reader looks for.
  static let dark = Pixel(red: 38, green: 27, blue: 43)
  static let light = Pixel(red: 255, green: 252, blue: 246)

  /// The palette of a sheet, and the nearest of its colours for each pixel.
  ///
  /// - Parameter pixels: all pixels of the sheet, already on their background.
  static func make(_ pixels: ContiguousArray<Pixel>) -> (palette: SheetPalette, indices: ContiguousArray<UInt8>) {
    let counted = ColourCount(pixels, most: room)
    if counted.isComplete { return (SheetPalette(colours: counted.colours, isExact: true), counted.indices) }
    let colours = Quantiser.colours(of: pixels, count: room)
    return (SheetPalette(colours: colours, isExact: false), ColourLookup(colours).indices(pixels))
  }

  /// The first of the stamp's indices, the darkest.
  var stamp: UInt8 { UInt8(colours.count) }
  var transparent: UInt8 { UInt8(colours.count + Lettering.levels) }
  /// Bits of an index, 2…8.
  var bits: Int { max(2, Int.bitWidth - (colours.count + Lettering.levels).leadingZeroBitCount) }

  /// Red, green and blue of all colours, filled up to a power of two.
  var table: [UInt8] {
    var all = colours
    for level in 0..<Lettering.levels {
      func mix(_ dark: UInt8, _ light: UInt8) -> UInt8 {
        UInt8((Int(dark) * (Lettering.levels - 1 - level) + Int(light) * level) / (Lettering.levels - 1))
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
