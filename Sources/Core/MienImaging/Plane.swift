/// One channel of a picture, 0…255 a sample.
public struct Plane: Sendable {
  public private(set) var width: Int
  public private(set) var height: Int
  /// `width * height` samples, row by row.
  public private(set) var samples: ContiguousArray<UInt8>

  /// An empty plane, to be reshaped.
  public init() {
    width = 0
    height = 0
    samples = []
  }

  /// Refuses (nil) samples whose number does not fit the size.
  public init?(width: Int, height: Int, samples: ContiguousArray<UInt8>) {
    guard width >= 0, height >= 0, samples.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.samples = samples
  }

  /// Gives the plane another size; what its samples hold then is unspecified until they are written.
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

  /// Keeps the top left part; sizes that are not smaller change nothing.
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

  /// Lets `body` write all samples, row by row.
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
