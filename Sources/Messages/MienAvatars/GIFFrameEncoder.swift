internal import MienImaging

/// Encodes the parts of a GIF89a file whose images share one palette.
struct GIFFrameEncoder {
  /// Disposal method applied to an image before the next one is drawn.
  enum Disposal: UInt8 {
    case keep = 1
    case restorePrevious = 3
  }

  private let palette: SpriteSheetPalette
  private var encoder = LZWEncoder()
  private let likes: SimilarColorTable?

  init(_ palette: SpriteSheetPalette) {
    self.palette = palette
    likes = palette.isExact ? nil : SimilarColorTable(palette.colors, distance: 8)
  }

  /// Returns the signature, the size, the palette, and the extension for endless looping.
  func header() -> [UInt8] {
    let side = UInt8(Sprite.side & 0xFF)
    let high = UInt8(Sprite.side >> 8)
    var bytes = Array("GIF89a".utf8)
    bytes += [side, high, side, high, 0xF0 | UInt8(palette.bits - 1), 0, 0]
    bytes += palette.table
    bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    return bytes
  }

  /// Returns a comment extension with ASCII text, at most 255 characters.
  static func comment(_ text: String) -> [UInt8] {
    let words = text.utf8.prefix(255)
    return [0x21, 0xFE, UInt8(words.count)] + words + [0]
  }

  /// Returns the graphic control extension that precedes an image; `delay` is in hundredths of a second.
  func control(delay: Int, _ disposal: Disposal) -> [UInt8] {
    let flags = disposal.rawValue << 2 | 1
    return [0x21, 0xF9, 4, flags, UInt8(delay & 0xFF), UInt8(delay >> 8 & 0xFF), palette.transparent, 0]
  }

  /// Returns an image that fills the entire canvas.
  mutating func whole(_ indices: ContiguousArray<UInt8>) -> [UInt8] {
    image(x: 0, y: 0, width: Sprite.side, height: Sprite.side, indices)
  }

  /// Returns an image of one transparent pixel, which leaves the canvas unchanged.
  mutating func nothing() -> [UInt8] {
    image(x: 0, y: 0, width: 1, height: 1, [palette.transparent])
  }

  /// Returns the rectangle in which `sprite` differs from `base`, transparent where it does not; `nil` if nothing differs.
  mutating func change(_ sprite: ContiguousArray<UInt8>, from base: ContiguousArray<UInt8>) -> [UInt8]? {
    let side = Sprite.side
    let (new, old) = (sprite.span, base.span)
    var (left, right, top, bottom) = (side, -1, side, -1)
    for y in 0..<side {
      let row = y * side
      var first = 0
      while first < side, new[row + first] == old[row + first] { first += 1 }
      guard first < side else { continue }
      var last = side - 1
      while new[row + last] == old[row + last] { last -= 1 }
      (left, right) = (min(left, first), max(right, last))
      (top, bottom) = (min(top, y), y)
    }
    guard right >= 0 else { return nil }
    let width = right - left + 1
    var indices = ContiguousArray<UInt8>(repeating: palette.transparent, count: width * (bottom - top + 1))
    var output = indices.mutableSpan
    for y in top...bottom {
      for x in left...right where new[y * side + x] != old[y * side + x] {
        output[(y - top) * width + x - left] = new[y * side + x]
      }
    }
    return image(x: left, y: top, width: width, height: bottom - top + 1, indices)
  }

  mutating func stamp(_ stamp: MessageIDLabel) -> [UInt8] {
    let first = palette.stamp
    let transparent = palette.transparent
    let indices = ContiguousArray(stamp.levels.map { $0 == MessageIDLabel.outside ? transparent : first + $0 })
    return image(
      x: MessageIDLabel.x, y: MessageIDLabel.y, width: MessageIDLabel.width, height: MessageIDLabel.height, indices)
  }

  private mutating func image(
    x: Int, y: Int, width: Int, height: Int, _ indices: ContiguousArray<UInt8>
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x2C]
    for number in [x, y, width, height] { bytes += [UInt8(number & 0xFF), UInt8(number >> 8)] }
    bytes.append(0)
    encoder.encode(indices, bits: palette.bits, likes: likes, into: &bytes)
    return bytes
  }
}
