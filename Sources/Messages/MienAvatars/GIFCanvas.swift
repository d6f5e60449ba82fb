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

/// Image descriptor of a GIF as stored in the file.
struct GIFImage: Sendable {
  /// Graphic control extension that precedes an image.
  struct Control: Sendable {
    /// Disposal method, 0…7: 2 restores to transparent, 3 restores the previous content, all others leave the image.
    var disposal = 0
    /// Delay in hundredths of a second.
    var delay = 0
    var transparent: UInt8?

    init() {}

    init(_ block: [UInt8]) {
      disposal = Int(block[0] >> 2 & 7)
      delay = Int(block[1]) | Int(block[2]) << 8
      transparent = block[0] & 1 == 1 ? block[3] : nil
    }
  }

  let x: Int
  let y: Int
  let width: Int
  let height: Int
  let isInterlaced: Bool
  /// Byte range of the color table in the file; `nil` if there is none.
  let colors: Range<Int>?
  /// Minimum LZW code size as stored in the file.
  let bits: Int
  /// Byte range of the data sub-blocks.
  let data: Range<Int>
  let control: Control

  var delay: Int { control.delay }

  /// Returns the image row of the `index`th row in the data (GIF89a, appendix E).
  func row(_ index: Int) -> Int {
    guard isInterlaced else { return index }
    let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]
    var rest = index
    for (start, step) in passes {
      let rows = height > start ? (height - start + step - 1) / step : 0
      if rest < rows { return start + rest * step }
      rest -= rows
    }
    return index
  }
}
