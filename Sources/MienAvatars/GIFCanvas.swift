internal import MienImaging

/// The canvas on which the pictures of a GIF are drawn one after the other.
struct GIFCanvas {
  private static let nothing = Pixel(packed: 0)

  private(set) var frame: Frame
  /// What was under the last picture, when it shall come back.
  private var saved: ContiguousArray<Pixel>?
  private var decoder = LZWDecoder()

  init(width: Int, height: Int) {
    frame = Frame(width: width, height: height, filledWith: Self.nothing)
  }

  mutating func draw(_ picture: GIFPicture, _ bytes: ContiguousArray<UInt8>) throws(AvatarError) {
    saved = picture.control.disposal == 3 ? part(picture) : nil
    guard picture.width > 0, picture.height > 0 else { return }
    guard let colours = picture.colours else { throw AvatarError(.corrupt, "a picture without colours") }
    let indices = try decoder.decode(bytes, picture.data, bits: picture.bits, count: picture.width * picture.height)
    let table = ContiguousArray(
      stride(from: colours.lowerBound, to: colours.upperBound, by: 3).map {
        Pixel(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
      })
    let canvasWidth = frame.width
    let visible = max(0, min(picture.width, canvasWidth - picture.x))
    // What is missing at the end was not drawn.
    for order in 0..<picture.height where order * picture.width < indices.count {
      let y = picture.y + picture.row(order)
      let start = order * picture.width
      let length = min(picture.width, indices.count - start)
      for column in 0..<length {
        let index = indices[start + column]
        guard index < table.count || index == picture.control.transparent else {
          throw AvatarError(.corrupt, "a pixel of a colour that there is not")
        }
        guard index != picture.control.transparent, column < visible, y < frame.height else { continue }
        frame[picture.x + column, y] = table[Int(index)]
      }
    }
  }

  mutating func dispose(_ picture: GIFPicture) {
    switch picture.control.disposal {
    case 2:
      forEachRow(picture) { canvas, row in
        for place in row { canvas[place] = Self.nothing }
      }
    case 3:
      guard let saved else { return }
      var next = 0
      forEachRow(picture) { canvas, row in
        for place in row {
          canvas[place] = saved[next]
          next += 1
        }
      }
    default: return
    }
  }

  private func part(_ picture: GIFPicture) -> ContiguousArray<Pixel> {
    var pixels = ContiguousArray<Pixel>()
    for row in rows(picture) { pixels += frame.pixels[row] }
    return pixels
  }

  private mutating func forEachRow(_ picture: GIFPicture, _ body: (inout MutableSpan<Pixel>, Range<Int>) -> Void) {
    let rows = rows(picture)
    frame.writePixels { canvas in
      for row in rows { body(&canvas, row) }
    }
  }

  /// The picture's rows as far as they lie on the canvas, as places in the canvas.
  private func rows(_ picture: GIFPicture) -> [Range<Int>] {
    let columns = min(picture.x, frame.width)..<min(picture.x + picture.width, frame.width)
    return (min(picture.y, frame.height)..<min(picture.y + picture.height, frame.height)).map {
      $0 * frame.width + columns.lowerBound..<$0 * frame.width + columns.upperBound
    }
  }
}
