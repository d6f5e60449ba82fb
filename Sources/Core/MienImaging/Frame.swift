/// A decoded picture, upright, origin at the top left.
///
/// Its storage can be used again for the next picture with ``reshape(width:height:)``, so that a stream of frames of
/// one size allocates once.
public struct Frame: Sendable {
  /// Pixels in a row.
  public private(set) var width: Int
  /// Rows.
  public private(set) var height: Int
  /// `width * height` pixels, row by row.
  public private(set) var pixels: ContiguousArray<Pixel>

  /// An empty frame, to be reshaped.
  public init() {
    width = 0
    height = 0
    pixels = []
  }

  /// A frame of one colour; negative sizes make it empty.
  public init(width: Int, height: Int, filledWith pixel: Pixel = .black) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    pixels = ContiguousArray(repeating: pixel, count: self.width * self.height)
  }

  /// A frame of the pixels given row by row; nil when their number does not fit the size.
  public init?(width: Int, height: Int, pixels: ContiguousArray<Pixel>) {
    guard width >= 0, height >= 0, pixels.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Gives the frame another size; what its pixels hold then is unspecified until they are written.
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

  /// The pixel at a place inside the picture.
  public subscript(x: Int, y: Int) -> Pixel {
    get {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "outside the picture")
      return pixels[y * width + x]
    }
    set {
      precondition(x >= 0 && x < width && y >= 0 && y < height, "outside the picture")
      pixels[y * width + x] = newValue
    }
  }

  /// Lets `body` write all pixels, row by row.
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
