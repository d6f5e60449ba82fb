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
  /// Difference from neutral by ``Sprite/index``; `nil` if the sheet has no such sprite, or if nothing differs.
  let changes: [[UInt8]?]
  let palette: SpriteSheetPalette

  /// Creates an avatar from a sheet with six expressions and an optional sheet with the resting sprites.
  ///
  /// - Parameters:
  ///   - expressions: 768 × 512 pixels: the sprites of 256 × 256 in the order of ``FaceExpression``.
  ///   - rest: 768 × 256 pixels: neutral, blink, preview. Without it, the left wink is used as neutral.
  ///   - background: Color behind transparent pixels. The fourth byte of a pixel is its opacity, as the PNG decoder leaves it.
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

  /// Index of the sprite: expressions 0…5 in sheet order, then neutral, blink, and preview.
  var index: Int {
    switch self {
    case .expression(let expression): Int(expression.rawValue)
    case .neutral: 6
    case .blink: 7
    case .preview: 8
    }
  }
}
