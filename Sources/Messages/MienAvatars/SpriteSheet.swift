public import MienExpressions
public import MienImaging

/// Sprites of an avatar as palette indices, each compressed once, from which animations are written.
///
/// Creating a sheet takes milliseconds; writing an animation encodes only the label.
public struct SpriteSheet: Sendable {
  /// Number of columns of the expression sheet, in sprites.
  static let columns = 3

  let header: [UInt8]
  /// Neutral sprite as the first image, without its delay.
  let neutral: [UInt8]
  /// Difference from neutral by ``Sprite/index``; `nil` if there is no such sprite, or if nothing differs.
  let changes: [[UInt8]?]
  let palette: SpriteSheetPalette
  /// `true` if the avatar has in-between sprites for smooth animations.
  public let isSmooth: Bool

  /// Creates an avatar from a sheet with six expressions and optional sheets with the resting and the in-between sprites.
  ///
  /// - Parameters:
  ///   - expressions: 768 × 512 pixels: the sprites of 256 × 256 in the order of `FaceExpression`.
  ///   - rest: 768 × 256 pixels: neutral, blink, preview. Without it, the left wink is used as neutral.
  ///   - between: 768 × 1024 pixels: a third of the way from neutral to each expression, in the order of `FaceExpression`, then two
  ///     thirds. Without it, smooth animations are classic ones.
  ///   - background: Color behind transparent pixels. The fourth byte of a pixel is its opacity, as the PNG decoder leaves it.
  /// - Throws: ``AvatarError`` with `wrongSheetSize`.
  public init(
    expressions: Frame, rest: Frame? = nil, between: Frame? = nil,
    background: Pixel = Pixel(red: 255, green: 244, blue: 229)
  ) throws(AvatarError) {
    let side = Sprite.side
    guard expressions.width == side * Self.columns, expressions.height == side * 2 else {
      throw AvatarError(.wrongSheetSize, "the sheet is \(expressions.width)×\(expressions.height); 768×512 is needed")
    }
    if let rest, rest.width != side * Self.columns || rest.height != side {
      throw AvatarError(.wrongSheetSize, "the resting sprites are \(rest.width)×\(rest.height); 768×256 are needed")
    }
    if let between, between.width != side * Self.columns || between.height != side * 4 {
      throw AvatarError(
        .wrongSheetSize, "the in-between sprites are \(between.width)×\(between.height); 768×1024 are needed")
    }
    var pixels = Self.opaque(expressions, background)
    if let rest { pixels += Self.opaque(rest, background) }
    if let between { pixels += Self.opaque(between, background) }
    let (palette, indices) = SpriteSheetPalette.make(pixels)
    self.palette = palette
    // Sprites that a sheet lacks keep their index, so that the in-between ones come last in any case.
    let present = [true, rest != nil, between != nil]
    let groups = [0..<6, 6..<9, 9..<Sprite.count]
    var place = 0
    var sprites: [Int: ContiguousArray<UInt8>] = [:]
    for (group, isPresent) in zip(groups, present) where isPresent {
      for sprite in group {
        sprites[sprite] = Self.cut(indices, place)
        place += 1
      }
    }
    let resting = rest == nil ? Int(FaceExpression.winkLeft.rawValue) : Sprite.neutral.index
    guard let base = sprites[resting] else { preconditionFailure("a sheet has six expressions") }
    isSmooth = between != nil
    var writer = GIFFrameEncoder(palette)
    header = writer.header()
    neutral = writer.whole(base)
    changes = (0..<Sprite.count).map { index in
      index == resting ? nil : sprites[index].flatMap { writer.change($0, from: base) }
    }
  }

  /// Returns the pixels blended onto the background.
  private static func opaque(_ frame: Frame, _ background: Pixel) -> ContiguousArray<Pixel> {
    var pixels = frame.pixels
    var output = pixels.mutableSpan
    for index in 0..<output.count {
      let pixel = output[index]
      let opacity = Int(pixel.packed >> 24)
      // Most pixels are either opaque or fully transparent.
      if opacity == 255 { continue }
      if opacity == 0 {
        output[index] = background
        continue
      }
      func mix(_ front: UInt8, _ back: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: (Int(front) * opacity + Int(back) * (255 - opacity) + 127) / 255)
      }
      output[index] = Pixel(
        red: mix(pixel.red, background.red), green: mix(pixel.green, background.green),
        blue: mix(pixel.blue, background.blue))
    }
    return pixels
  }

  private static func cut(_ sheet: ContiguousArray<UInt8>, _ index: Int) -> ContiguousArray<UInt8> {
    let side = Sprite.side
    let first = index / columns * side * side * columns + index % columns * side
    var sprite = ContiguousArray<UInt8>()
    sprite.reserveCapacity(side * side)
    for row in 0..<side { sprite += sheet[first + row * side * columns..<first + row * side * columns + side] }
    return sprite
  }
}

extension SpriteSheet: CustomStringConvertible, CustomReflectable {
  public var description: String { "SpriteSheet(\(palette.colors.count) colors)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Sprites of an avatar.
public enum Sprite: Hashable, Sendable {
  /// Width and height in pixels.
  public static let side = 256

  case expression(FaceExpression)
  case neutral
  /// Eyes closed for a moment.
  case blink
  /// Eyes turned to the side.
  case preview
  /// Image between neutral and an expression.
  case between(FaceExpression, Passage)

  /// Part of the way from neutral to an expression.
  public enum Passage: Int, Hashable, Sendable, CaseIterable {
    case third, twoThirds
  }

  static let count = 9 + 6 * Passage.allCases.count

  /// Index of the sprite: expressions 0…5 in sheet order, neutral, blink, preview, then the in-between sprites of a third and of two
  /// thirds of the way.
  var index: Int {
    switch self {
    case .expression(let expression): Int(expression.rawValue)
    case .neutral: 6
    case .blink: 7
    case .preview: 8
    case .between(let expression, let passage): 9 + 6 * passage.rawValue + Int(expression.rawValue)
    }
  }
}

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
