/// A picture of one 16-bit channel, for example a depth map.
public struct GrayMap: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// `width * height` samples, row by row, as stored in the file.
  public let samples: [UInt16]
}

extension GrayMap: CustomStringConvertible, CustomReflectable {
  public var description: String { "GrayMap(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
