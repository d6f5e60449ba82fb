/// The 478 points of the MediaPipe face mesh (468 of the mesh, 5 of each iris).
///
/// `points[i]`: x and y as fractions of the image's width and height (origin top left, y down); z on the scale of x,
/// smaller = nearer to the camera ("normalized image coordinates").
public struct Landmarks: Hashable, Sendable {
  /// Number of points in a complete set.
  public static let count = 478

  public let points: [SIMD3<Float>]

  /// Returns `nil` if the number of points is not ``count``.
  public init?(_ points: [SIMD3<Float>]) {
    guard points.count == Self.count else { return nil }
    self.points = points
  }

  /// Indices of the 36 points of the face outline, clockwise in the unmirrored image, from the top of the forehead.
  public static let outlineIndices = [
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150,
    136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
  ]
}

extension Landmarks: CustomStringConvertible, CustomReflectable {
  public var description: String { "Landmarks(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
