/// An image with one 16-bit channel, for example a depth map.
public struct Gray16Image: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// `width * height` samples in row-major order, as stored in the file.
  public let samples: [UInt16]

  /// - Parameter samples: `width * height` samples.
  public init(width: Int, height: Int, samples: [UInt16]) {
    precondition(samples.count == width * height)
    self.width = width
    self.height = height
    self.samples = samples
  }
}

extension Gray16Image: CustomStringConvertible, CustomReflectable {
  public var description: String { "Gray16Image(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
