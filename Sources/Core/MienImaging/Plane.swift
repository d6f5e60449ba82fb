/// One channel of an image, with samples in 0…255.
public struct Plane: Sendable {
  public private(set) var width: Int
  public private(set) var height: Int
  /// `width * height` samples in row-major order.
  public private(set) var samples: ContiguousArray<UInt8>

  /// Creates an empty plane, to be reshaped.
  public init() {
    width = 0
    height = 0
    samples = []
  }

  /// Returns `nil` if the number of samples does not match the size.
  public init?(width: Int, height: Int, samples: ContiguousArray<UInt8>) {
    guard width >= 0, height >= 0, samples.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.samples = samples
  }

  /// Changes the plane's size; the sample values are unspecified until they are written.
  public mutating func reshape(width: Int, height: Int) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    let count = self.width * self.height
    if samples.count > count {
      samples.removeLast(samples.count - count)
    } else if samples.count < count {
      samples.append(contentsOf: repeatElement(0, count: count - samples.count))
    }
  }

  /// Crops to the top left part; a dimension that is not smaller is left unchanged.
  public mutating func crop(width: Int, height: Int) {
    let (kept, rows) = (min(max(width, 0), self.width), min(max(height, 0), self.height))
    guard kept < self.width || rows < self.height else { return }
    if kept < self.width {
      for row in 1..<max(rows, 1) {
        for column in 0..<kept { samples[row * kept + column] = samples[row * self.width + column] }
      }
    }
    self.width = kept
    self.height = rows
    samples.removeLast(samples.count - kept * rows)
  }

  /// Calls `body` with write access to all samples in row-major order.
  public mutating func writeSamples<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var span = samples.mutableSpan
    return try body(&span)
  }
}

extension Plane: CustomStringConvertible, CustomReflectable {
  public var description: String { "Plane(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
