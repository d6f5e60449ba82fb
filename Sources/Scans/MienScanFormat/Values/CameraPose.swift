/// Position and orientation of a camera: a rigid transform from camera to world, in meters.
///
/// Axes are ARKit's, right-handed: the camera's x points right and y up in the sensor's native (landscape) image, z
/// points back to the viewer, so that the camera looks along −z. A camera point `p` has the world coordinates `right *
/// p.x + up * p.y + back * p.z + position`.
public struct CameraPose: Hashable, Sendable {
  /// The camera's x axis in the world: the first column of the 4×4 matrix.
  public let right: SIMD3<Float>
  /// The camera's y axis in the world: the second column.
  public let up: SIMD3<Float>
  /// The camera's z axis in the world, opposite to the viewing direction: the third column.
  public let back: SIMD3<Float>
  /// The camera's position in the world, in meters: the fourth column.
  public let position: SIMD3<Float>

  /// Maximum distance of a camera from the world's origin, in meters.
  public static let farthest: Float = 10_000
  /// Maximum deviation of the axes' scalar products from those of a rotation; phones' own matrices stay below 1e-5.
  public static let tolerance: Float = 1e-3

  /// Camera at the world's origin.
  public static let identity = CameraPose()

  private init() {
    right = [1, 0, 0]
    up = [0, 1, 0]
    back = [0, 0, 1]
    position = .zero
  }

  /// - Throws: ``PoseError`` if a number is not finite, the axes are not those of a rotation, they are mirrored, or the
  ///   camera is farther from the origin than ``farthest``.
  public init(
    right: SIMD3<Float>, up: SIMD3<Float>, back: SIMD3<Float>, position: SIMD3<Float>
  ) throws(PoseError) {
    let products = [
      dot(right, right) - 1, dot(up, up) - 1, dot(back, back) - 1, dot(right, up), dot(up, back), dot(back, right),
    ]
    guard products.allSatisfy(\.isFinite), position.x.isFinite, position.y.isFinite, position.z.isFinite else {
      throw .notFinite
    }
    guard products.allSatisfy({ abs($0) <= Self.tolerance }) else { throw .notRigid }
    guard dot(cross(right, up), back) > 0 else { throw .mirrored }
    guard max(abs(position.x), abs(position.y), abs(position.z)) <= Self.farthest else { throw .tooFar }
    self.right = right
    self.up = up
    self.back = back
    self.position = position
  }

  /// Creates a pose from a row-major 4×4 matrix with the translation in the last column.
  ///
  /// - Throws: ``PoseError``; also if there are not 16 numbers or the last row is not 0 0 0 1.
  public init(rowMajor m: [Float]) throws(PoseError) {
    guard m.count == 16 else { throw .notFourByFour }
    guard m.allSatisfy(\.isFinite) else { throw .notFinite }
    guard abs(m[12]) <= Self.tolerance, abs(m[13]) <= Self.tolerance, abs(m[14]) <= Self.tolerance,
      abs(m[15] - 1) <= Self.tolerance
    else { throw .notRigid }
    try self.init(
      right: [m[0], m[4], m[8]], up: [m[1], m[5], m[9]], back: [m[2], m[6], m[10]], position: [m[3], m[7], m[11]])
  }

  /// The row-major 4×4 matrix with the translation in the last column.
  public var rowMajor: [Float] {
    [
      right.x, up.x, back.x, position.x, right.y, up.y, back.y, position.y, right.z, up.z, back.z, position.z, 0, 0, 0,
      1,
    ]
  }

  /// Creates a pose from a unit quaternion (x, y, z, w) and a position; quaternions within 1 % of unit length are
  /// normalized.
  ///
  /// - Throws: ``PoseError``.
  public init(quaternion q: SIMD4<Float>, position: SIMD3<Float>) throws(PoseError) {
    let length = (q * q).sum().squareRoot()
    guard length.isFinite else { throw .notFinite }
    guard abs(length - 1) <= 0.01 else { throw .notRigid }
    let (x, y, z, w) = (q.x / length, q.y / length, q.z / length, q.w / length)
    try self.init(
      right: [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
      up: [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
      back: [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)], position: position)
  }

  /// The same camera with its y and z axes rotated by 180° about x: converts from OpenCV's axes (y down, z forward) to
  /// ARKit's and back.
  public var turnedAboutX: CameraPose {
    CameraPose(checkedRight: right, up: -up, back: -back, position: position)
  }

  private init(checkedRight: SIMD3<Float>, up: SIMD3<Float>, back: SIMD3<Float>, position: SIMD3<Float>) {
    self.right = checkedRight
    self.up = up
    self.back = back
    self.position = position
  }

  /// Converts a point from camera to world coordinates, in meters.
  @inlinable public func world(_ point: SIMD3<Float>) -> SIMD3<Float> {
    right * point.x + up * point.y + back * point.z + position
  }

  /// Converts a point from world to camera coordinates, in meters.
  @inlinable public func camera(_ point: SIMD3<Float>) -> SIMD3<Float> {
    let offset = point - position
    return SIMD3((right * offset).sum(), (up * offset).sum(), (back * offset).sum())
  }
}

/// Reason why a matrix or a quaternion is not a camera pose.
public enum PoseError: Error, Hashable, Sendable, CustomStringConvertible {
  case notFourByFour, notFinite, notRigid, mirrored, tooFar

  public var description: String {
    switch self {
    case .notFourByFour: "a pose has 16 numbers"
    case .notFinite: "a number of the pose is not finite"
    case .notRigid: "the pose is not a rotation and a translation (it is singular, scaled or sheared)"
    case .mirrored: "the pose is left-handed; poses are right-handed"
    case .tooFar: "the camera is more than 10 km from the origin"
    }
  }
}

@inlinable @inline(__always) package func dot(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { (a * b).sum() }

@inlinable @inline(__always) package func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
  // A bracketed literal would be built as an array first if the compiler cannot optimize it.
  SIMD3(a.y, a.z, a.x) * SIMD3(b.z, b.x, b.y) - SIMD3(a.z, a.x, a.y) * SIMD3(b.y, b.z, b.x)
}
