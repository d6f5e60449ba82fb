internal import MienImaging

/// Canvas on which the images of a GIF are drawn one after another.
struct GIFCanvas {
  private static let nothing = Pixel(packed: 0)

  private(set) var frame: Frame
  /// Pixels under the last image if they must be restored.
  private var saved: ContiguousArray<Pixel>?
  private var decoder = LZWDecoder()

  init(width: Int, height: Int) {
    frame = Frame(width: width, height: height, filledWith: Self.nothing)
  }

  mutating func draw(_ image: GIFImage, _ bytes: ContiguousArray<UInt8>) throws(AvatarError) {
    saved = image.control.disposal == 3 ? part(image) : nil
    guard image.width > 0, image.height > 0 else { return }
    guard let colors = image.colors else { throw AvatarError(.corrupt, "a picture without colors") }
    let indices = try decoder.decode(bytes, image.data, bits: image.bits, count: image.width * image.height)
    let table = ContiguousArray(
      stride(from: colors.lowerBound, to: colors.upperBound, by: 3).map {
        Pixel(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
      })
    let canvasWidth = frame.width
    let visible = max(0, min(image.width, canvasWidth - image.x))
    // Missing data at the end leaves the remaining pixels undrawn.
    for order in 0..<image.height where order * image.width < indices.count {
      let y = image.y + image.row(order)
      let start = order * image.width
      let length = min(image.width, indices.count - start)
      for column in 0..<length {
        let index = indices[start + column]
        guard index < table.count || index == image.control.transparent else {
          throw AvatarError(.corrupt, "a pixel has a color index outside of the palette")
        }
        guard index != image.control.transparent, column < visible, y < frame.height else { continue }
        frame[image.x + column, y] = table[Int(index)]
      }
    }
  }

  mutating func dispose(_ image: GIFImage) {
    switch image.control.disposal {
    case 2:
      forEachRow(image) { canvas, row in
        for place in row { canvas[place] = Self.nothing }
      }
    case 3:
      guard let saved else { return }
      var next = 0
      forEachRow(image) { canvas, row in
        for place in row {
          canvas[place] = saved[next]
          next += 1
        }
      }
    default: return
    }
  }

  private func part(_ image: GIFImage) -> ContiguousArray<Pixel> {
    var pixels = ContiguousArray<Pixel>()
    for row in rows(image) { pixels += frame.pixels[row] }
    return pixels
  }

  private mutating func forEachRow(_ image: GIFImage, _ body: (inout MutableSpan<Pixel>, Range<Int>) -> Void) {
    let rows = rows(image)
    frame.writePixels { canvas in
      for row in rows { body(&canvas, row) }
    }
  }

  /// Returns the visible rows of the image as ranges of canvas pixels.
  private func rows(_ image: GIFImage) -> [Range<Int>] {
    let columns = min(image.x, frame.width)..<min(image.x + image.width, frame.width)
    return (min(image.y, frame.height)..<min(image.y + image.height, frame.height)).map {
      $0 * frame.width + columns.lowerBound..<$0 * frame.width + columns.upperBound
    }
  }
}
