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

extension Plane {
  /// Returns a rectangular part of the plane.
  ///
  /// - Precondition: the part lies inside the plane.
  public func part(x: Int, y: Int, width: Int, height: Int) -> Plane {
    precondition(
      x >= 0 && y >= 0 && width >= 0 && height >= 0 && x + width <= self.width && y + height <= self.height,
      "outside the plane")
    var part = Plane()
    part.reshape(width: width, height: height)
    let source = samples.span
    part.writeSamples { target in
      for row in 0..<height {
        let line = source.extracting((y + row) * self.width + x..<(y + row) * self.width + x + width)
        var out = target._mutatingExtracting(row * width..<(row + 1) * width)
        for column in 0..<width { out[column] = line[column] }
      }
    }
    return part
  }

  /// Returns the plane downscaled by an integer factor: boxes of `factor` pixels a side are averaged, and incomplete
  /// boxes at the right and bottom edges are dropped. A factor of 1 changes nothing.
  ///
  /// - Precondition: `factor` is positive, below 1000, and no side of the plane is smaller than it.
  public func reduced(by factor: Int) -> Plane {
    guard factor > 1 else { return self }
    let (width, height) = (self.width / factor, self.height / factor)
    precondition(width > 0 && height > 0, "the box is larger than the plane")
    var small = Plane()
    small.reshape(width: width, height: height)
    var sums = ContiguousArray<UInt16>(repeating: 0, count: width * factor)
    let rows = min(factor, SamplingPlan.rowsOfBox)
    let area = UInt32(rows * factor)
    let samples = samples.span
    let used = width * factor
    // Exact for sums of fewer than 4096 samples: dividing each sum would cost more than everything else.
    let inverse = (UInt64(1) << 32) / UInt64(area) + 1
    precondition(area < 4096, "the box has too many pixels")
    small.writeSamples { target in
      var whole = sums.mutableSpan
      var sums = whole._mutatingExtracting(0..<used)
      for y in 0..<height {
        for part in 0..<rows {
          let row = y * factor + part * factor / rows
          let line = samples.extracting(row * self.width..<row * self.width + used)
          if part == 0 {
            for x in 0..<used { sums[x] = UInt16(line[x]) }
          } else {
            for x in 0..<used { sums[x] &+= UInt16(line[x]) }
          }
        }
        for x in 0..<width {
          let box = sums.span.extracting(x * factor..<x * factor + factor)
          var sum: UInt32 = 0
          for index in 0..<factor { sum &+= UInt32(box[index]) }
          target[y * width + x] = UInt8(truncatingIfNeeded: (UInt64(sum &+ area / 2) &* inverse) &>> 32)
        }
      }
    }
    return small
  }
}
