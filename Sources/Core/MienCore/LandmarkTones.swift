/// Image brightness at 32 landmarks that neither the mouth nor the eyelids move; links the landmarks to the pixels.
public struct LandmarkTones: Hashable, Sendable {
  /// The landmarks, in the order of ``values``: bridge and back of the nose, nostrils, temples, cheeks, forehead,
  /// corners of the eyes.
  public static let indices = [
    168, 6, 197, 195, 5, 4, 1, 19, 94, 2, 98, 327, 48, 278, 33, 133, 362, 263, 10, 151, 9, 8, 116, 345, 123, 352, 50,
    280, 234, 454, 127, 356,
  ]

  /// Mean luma around each landmark, 0 (black) … 255.
  public let values: SIMD32<Float>

  public init(_ values: SIMD32<Float>) {
    self.values = values
  }
}

extension LandmarkTones: CustomStringConvertible, CustomReflectable {
  public var description: String { "LandmarkTones(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
