/// Label with a message ID: light rim, dark background, light characters in two lines, stored as levels instead of colors.
struct MessageIDLabel {
  static let width = 168
  static let height = 62
  /// Position in a sprite of 256 × 256.
  static let x = (Sprite.side - width) / 2
  static let y = Sprite.side - height - 4
  /// Level of a pixel that is left unchanged.
  static let outside: UInt8 = 255
  /// Width of the light rim.
  static let rim = 3
  private static let cornerRadius: Float = 14
  private static let advance = 17
  private static let hyphenAdvance = 12
  private static let lineAdvance = 25
  private static let left = (width - (8 * advance + hyphenAdvance - (advance - LabelFont.width))) / 2
  private static let top = (height - (lineAdvance + LabelFont.height)) / 2

  /// Positions of the 16 glyphs on the label.
  static let places: [SIMD2<Int>] = (0..<MessageID.length).map { index in
    let column = index % 8
    return SIMD2(
      left + column * advance + (column >= 4 ? hyphenAdvance : 0), top + (index / 8) * lineAdvance)
  }

  /// Label without characters, in row-major order.
  private static let plate: [UInt8] = (0..<width * height).map { index in
    // Distance to the outline of a rounded rectangle, positive inside.
    let half = SIMD2(Float(width), Float(height)) / 2
    let place = SIMD2(Float(index % width) + 0.5, Float(index / width) + 0.5)
    let corner = SIMD2(abs(place.x - half.x), abs(place.y - half.y)) - half + cornerRadius
    let beyond = pointwiseMax(corner, SIMD2(0, 0))
    let inside = cornerRadius - (beyond * beyond).sum().squareRoot() - min(max(corner.x, corner.y), 0)
    if inside < 0.5 { return outside }
    let depth = min(max(Float(rim) + 0.5 - inside, 0), 1)
    return UInt8((depth * Float(LabelFont.levels - 1)).rounded())
  }

  /// ``width`` × ``height`` levels, 0 dark … 4 light, or ``outside``.
  let levels: [UInt8]

  init(_ code: MessageID) {
    var levels = Self.plate
    for (index, digit) in code.digits.enumerated() { Self.draw(Int(digit), at: Self.places[index], on: &levels) }
    for line in 0..<2 {
      let place = SIMD2(
        Self.left + 4 * Self.advance - (Self.advance - LabelFont.width) / 2 - 1 + (Self.hyphenAdvance - LabelFont.width)
          / 2,
        Self.top + line * Self.lineAdvance)
      Self.draw(LabelFont.hyphen, at: place, on: &levels)
    }
    self.levels = levels
  }

  private static func draw(_ glyph: Int, at place: SIMD2<Int>, on levels: inout [UInt8]) {
    let drawn = LabelFont.leveled[glyph]
    for row in 0..<LabelFont.height {
      let start = (place.y + row) * width + place.x
      for column in 0..<LabelFont.width {
        let level = drawn[row * LabelFont.width + column]
        if level > levels[start + column] { levels[start + column] = level }
      }
    }
  }
}
