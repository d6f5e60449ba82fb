/// A face cut out of an image for comparison with other faces: upright, with the eyes, the nose and the corners of the
/// mouth as close as possible to fixed positions.
public struct AlignedFace: Hashable, Sendable {
  /// Width and height in pixels.
  public static let size = 112
  /// Number of samples: a red, a green and a blue plane.
  public static let count = 3 * size * size

  /// The three planes, 0…255.
  public let samples: ContiguousArray<UInt8>
  /// Distance between the irises in pixels of the image.
  public let eyeDistance: Float

  /// Returns `nil` if the number of samples is not ``count``.
  public init?(samples: ContiguousArray<UInt8>, eyeDistance: Float) {
    guard samples.count == Self.count else { return nil }
    self.samples = samples
    self.eyeDistance = eyeDistance
  }
}

extension AlignedFace: CustomStringConvertible, CustomReflectable {
  public var description: String { "AlignedFace(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
