public import MienCore

/// A decoded, upright image with its origin at the top left.
///
/// ``reshape(width:height:)`` reuses the storage for the next image, so that a stream of frames of one size allocates
/// once.
public struct Frame: Sendable {
  /// Width in pixels.
  public private(set) var width: Int
  /// Height in pixels.
  public private(set) var height: Int
  /// `width * height` pixels in row-major order.
  public private(set) var pixels: ContiguousArray<Pixel>

  /// Creates an empty frame, to be reshaped.
  public init() {
    width = 0
    height = 0
    pixels = []
  }

  /// Creates a frame of one color; negative sizes make it empty.
  public init(width: Int, height: Int, filledWith pixel: Pixel = .black) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    pixels = ContiguousArray(repeating: pixel, count: self.width * self.height)
  }

  /// Creates a frame from pixels in row-major order; `nil` if their number does not match the size.
  public init?(width: Int, height: Int, pixels: ContiguousArray<Pixel>) {
    guard width >= 0, height >= 0, pixels.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Changes the frame's size; the pixel values are unspecified until they are written.
  public mutating func reshape(width: Int, height: Int) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    let count = self.width * self.height
    if pixels.count > count {
      pixels.removeLast(pixels.count - count)
    } else if pixels.count < count {
      pixels.append(contentsOf: repeatElement(.black, count: count - pixels.count))
    }
  }

  /// The pixel at a position inside the image.
  public subscript(x: Int, y: Int) -> Pixel {
    get {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "outside the image")
      return pixels[y * width + x]
    }
    set {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "outside the image")
      pixels[y * width + x] = newValue
    }
  }

  /// Calls `body` with write access to all pixels in row-major order.
  public mutating func writePixels<Result, Failure: Error>(
    _ body: (inout MutableSpan<Pixel>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var span = pixels.mutableSpan
    return try body(&span)
  }
}

extension Frame: CustomStringConvertible, CustomReflectable {
  public var description: String { "Frame(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A pixel: red, green and blue, 0…255 each, packed into four bytes so that one load fetches a whole pixel.
public struct Pixel: Hashable, Sendable, BitwiseCopyable {
  /// Bytes in memory order on little-endian machines: red, green, blue, unused.
  public var packed: UInt32

  public init(packed: UInt32) {
    self.packed = packed
  }

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    packed = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000
  }

  public var red: UInt8 { UInt8(truncatingIfNeeded: packed) }
  public var green: UInt8 { UInt8(truncatingIfNeeded: packed >> 8) }
  public var blue: UInt8 { UInt8(truncatingIfNeeded: packed >> 16) }

  public static let black = Pixel(red: 0, green: 0, blue: 0)
}

extension Frame {
  /// Perceptual hash of the whole image; `nil` if it has too little contrast or fewer than 16 pixels a side.
  ///
  /// Each cell is sampled on a grid of at most about 16 × 16 pixels.
  public var fingerprint: FrameFingerprint? {
    let side = FrameFingerprint.side
    guard width >= side, height >= side else { return nil }
    let span = pixels.span
    var luma: [Float] = []
    luma.reserveCapacity(side * side)
    for cell in 0..<side * side {
      let columns = cell % side * width / side..<(cell % side + 1) * width / side
      let rows = cell / side * height / side..<(cell / side + 1) * height / side
      let (columnStep, rowStep) = (max(1, columns.count / 16), max(1, rows.count / 16))
      var (red, green, blue, count): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      for y in stride(from: rows.lowerBound, to: rows.upperBound, by: rowStep) {
        let row = span.extracting(y * width..<(y + 1) * width)
        for x in stride(from: columns.lowerBound, to: columns.upperBound, by: columnStep) {
          let pixel = row[x]
          red += UInt32(pixel.red)
          green += UInt32(pixel.green)
          blue += UInt32(pixel.blue)
          count += 1
        }
      }
      luma.append((0.299 * Float(red) + 0.587 * Float(green) + 0.114 * Float(blue)) / Float(count))
    }
    return FrameFingerprint(luma: luma)
  }
}
