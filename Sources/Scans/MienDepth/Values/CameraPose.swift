/// Where a camera stood and how it was held: a rigid transform from camera to world, in metres.
///
/// Axes are ARKit's, right-handed: the camera's x points right and y up in the sensor's own (landscape) picture, z
/// points back to the viewer, so that the camera looks along −z. A point `p` of the camera lies in the world at
/// `right * p.x + up * p.y + back * p.z + position`.
public struct CameraPose: Hashable, Sendable {
  /// The camera's x axis in the world: the first column of the 4×4 matrix.
  public let right: SIMD3<Float>
  /// The camera's y axis in the world: the second column.
  public let up: SIMD3<Float>
  /// The camera's z axis in the world, against the viewing direction: the third column.
  public let back: SIMD3<Float>
  /// The camera's place in the world, in metres: the fourth column.
  public let position: SIMD3<Float>

  /// Furthest a camera may stand from the world's origin, in metres.
  public static let farthest: Float = 10_000
  /// Largest deviation of the axes' scalar products from those of a rotation; phones' own matrices stay below 1e-5.
  public static let tolerance: Float = 1e-3

  /// The camera at the world's origin.
  public static let identity = CameraPose()

  private init() {
    right = [1, 0, 0]
    up = [0, 1, 0]
    back = [0, 0, 1]
    position = .zero
  }

  /// - Throws: ``PoseError`` when a number is not finite, the axes are not those of a rotation, they are mirrored, or
  ///   the camera stands beyond ``farthest``.
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

  /// The pose of a 4×4 matrix given row by row, translation in the last column.
  ///
  /// - Throws: ``PoseError``; also when there are not 16 numbers or the last row is not 0 0 0 1.
  public init(rowMajor m: [Float]) throws(PoseError) {
    guard m.count == 16 else { throw .notFourByFour }
    guard m.allSatisfy(\.isFinite) else { throw .notFinite }
    guard abs(m[12]) <= Self.tolerance, abs(m[13]) <= Self.tolerance, abs(m[14]) <= Self.tolerance,
      abs(m[15] - 1) <= Self.tolerance
    else { throw .notRigid }
    try self.init(
      right: [m[0], m[4], m[8]], up: [m[1], m[5], m[9]], back: [m[2], m[6], m[10]], position: [m[3], m[7], m[11]])
  }

  /// The 16 numbers of the 4×4 matrix, row by row, translation in the last column.
  public var rowMajor: [Float] {
    [
      right.x, up.x, back.x, position.x, right.y, up.y, back.y, position.y, right.z, up.z, back.z, position.z, 0, 0, 0,
      1,
    ]
  }

  /// The pose of a unit quaternion (x, y, z, w) and a place; quaternions within 1 % of unit length are normalised.
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

  /// The same camera described with its y and z axes turned about x by half a turn: from OpenCV's axes (y down, z
  /// forward) to ARKit's and back.
  public var turnedAboutX: CameraPose {
    CameraPose(checkedRight: right, up: -up, back: -back, position: position)
  }

  private init(checkedRight: SIMD3<Float>, up: SIMD3<Float>, back: SIMD3<Float>, position: SIMD3<Float>) {
    self.right = checkedRight
    self.up = up
    self.back = back
    self.position = position
  }

  /// A point of the camera's space in the world, in metres.
  @inlinable public func world(_ point: SIMD3<Float>) -> SIMD3<Float> {
    right * point.x + up * point.y + back * point.z + position
  }

  /// A point of the world in the camera's space, in metres.
  @inlinable public func camera(_ point: SIMD3<Float>) -> SIMD3<Float> {
    let arm = point - position
    return SIMD3((right * arm).sum(), (up * arm).sum(), (back * arm).sum())
  }
}

/// Why a matrix or a quaternion is not the pose of a camera.
public enum PoseError: Error, Hashable, Sendable, CustomStringConvertible {
  case notFourByFour, notFinite, notRigid, mirrored, tooFar

  public var description: String {
    switch self {
    case .notFourByFour: "a pose has 16 numbers"
    case .notFinite: "a number of the pose is not finite"
    case .notRigid: "the pose is not a rotation and a place (it is singular, scaled or sheared)"
    case .mirrored: "the pose is left-handed; poses are right-handed"
    case .tooFar: "the camera stands more than 10 km from the origin"
    }
  }
}

@inline(__always) func dot(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { (a * b).sum() }

@inline(__always) func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
  // A literal in brackets would be built as an array first wherever the compiler does not see through it.
  SIMD3(a.y, a.z, a.x) * SIMD3(b.z, b.x, b.y) - SIMD3(a.z, a.x, a.y) * SIMD3(b.y, b.z, b.x)
}
