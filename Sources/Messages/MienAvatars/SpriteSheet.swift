private import MienExpressions
public import MienImaging

/// An avatar whose animations can be written: its sprites as palette indices, each compressed once.
///
/// Making one takes milliseconds; writing an animation from it encodes the stamp only.
public struct SpriteSheet: Sendable {
  /// Columns and rows of the expressions' sheet, in sprites.
  static let columns = 3

  let header: [UInt8]
  /// The neutral sprite as the first picture, without its delay.
  let neutral: [UInt8]
  /// By ``Sprite/index``: what differs from neutral; nil where the sheet has no such sprite, or where nothing differs.
  let changes: [[UInt8]?]
  let palette: SpriteSheetPalette

  /// Makes an avatar of a sheet with six expressions and, where there is one, a sheet with the resting sprites.
  ///
  /// - Parameters:
  ///   - expressions: 768 × 512: the sprites of 256 × 256 in the order of ``FaceExpression``.
  ///   - rest: 768 × 256: neutral, blink, glance. Without it the left wink stands for neutral.
  ///   - background: what shines through transparent pixels. The fourth byte of a pixel is its opacity, as the PNG decoder
  ///     leaves it there.
  /// - Throws: ``AvatarError`` with `wrongSheetSize`.
  public init(
    expressions: Frame, rest: Frame? = nil, background: Pixel = Pixel(red: 255, green: 244, blue: 229)
  ) throws(AvatarError) {
    let side = Sprite.side
    guard expressions.width == side * Self.columns, expressions.height == side * 2 else {
      throw AvatarError(.wrongSheetSize, "the sheet is \(expressions.width)×\(expressions.height); 768×512 is needed")
    }
    if let rest, rest.width != side * Self.columns || rest.height != side {
      throw AvatarError(.wrongSheetSize, "the resting sprites are \(rest.width)×\(rest.height); 768×256 are needed")
    }
    var pixels = Self.opaque(expressions, background)
    if let rest { pixels += Self.opaque(rest, background) }
    let (palette, indices) = SpriteSheetPalette.make(pixels)
    self.palette = palette
    let sprites = (0..<(rest == nil ? 6 : 9)).map { Self.cut(indices, $0) }
    let base = rest == nil ? sprites[Int(FaceExpression.winkLeft.rawValue)] : sprites[Sprite.neutral.index]
    var writer = GIFFrameEncoder(palette)
    header = writer.header()
    neutral = writer.whole(base)
    changes = (0..<9).map {
      $0 < sprites.count && $0 != Sprite.neutral.index ? writer.change(sprites[$0], from: base) : nil
    }
  }

  /// The pixels on their background.
  private static func opaque(_ frame: Frame, _ background: Pixel) -> ContiguousArray<Pixel> {
    var pixels = frame.pixels
    var output = pixels.mutableSpan
    for index in 0..<output.count {
      let pixel = output[index]
      let opacity = Int(pixel.packed >> 24)
      // Most pixels are one or the other.
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
  public var description: String { "AvatarSheet(\(palette.colors.count) colours)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
