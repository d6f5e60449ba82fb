internal import MienScanFormat

/// Rotation and translation of the world, in meters.
struct RigidMotion {
  /// Images of the three axes.
  private let x: SIMD3<Float>
  private let y: SIMD3<Float>
  private let z: SIMD3<Float>
  private let shift: SIMD3<Float>

  /// Creates the motion that moves camera `a` to camera `b`.
  init(from a: CameraPose, to b: CameraPose) {
    func image(_ axis: SIMD3<Float>) -> SIMD3<Float> {
      b.right * dot(a.right, axis) + b.up * dot(a.up, axis) + b.back * dot(a.back, axis)
    }
    x = image(SIMD3(1, 0, 0))
    y = image(SIMD3(0, 1, 0))
    z = image(SIMD3(0, 0, 1))
    shift = b.position - (x * a.position.x + y * a.position.y + z * a.position.z)
  }

  /// Creates a small rotation `turn` (radians, about `pivot`) followed by a translation. The rotation is the normalized
  /// quaternion (turn / 2, 1): accurate to second order, and a rotation at any magnitude.
  init(turn: SIMD3<Float>, shift: SIMD3<Float>, about pivot: SIMD3<Float>) {
    let half = turn / 2
    let length = (1 + dot(half, half)).squareRoot()
    let (a, b, c, w) = (half.x / length, half.y / length, half.z / length, 1 / length)
    x = SIMD3(1 - 2 * (b * b + c * c), 2 * (a * b + c * w), 2 * (a * c - b * w))
    y = SIMD3(2 * (a * b - c * w), 1 - 2 * (a * a + c * c), 2 * (b * c + a * w))
    z = SIMD3(2 * (a * c + b * w), 2 * (b * c - a * w), 1 - 2 * (a * a + b * b))
    self.shift = shift + pivot - (x * pivot.x + y * pivot.y + z * pivot.z)
  }

  func turned(_ direction: SIMD3<Float>) -> SIMD3<Float> { x * direction.x + y * direction.y + z * direction.z }

  /// Returns the camera after the motion, with orthonormalized axes; nil if the result is not a valid pose.
  func moved(_ pose: CameraPose) -> CameraPose? {
    let back = turned(pose.back)
    let rough = turned(pose.right)
    let right = rough - back * (dot(rough, back) / dot(back, back))
    let (b, r) = (back / dot(back, back).squareRoot(), right / dot(right, right).squareRoot())
    return try? CameraPose(right: r, up: cross(b, r), back: b, position: turned(pose.position) + shift)
  }
}

extension CameraPose {
  /// Returns the distance to another camera, in meters.
  func distance(to other: CameraPose) -> Float {
    let offset = other.position - position
    return dot(offset, offset).squareRoot()
  }

  /// Returns the rotation to another camera: the length of the difference of the axes over √2, which for small angles
  /// is the angle in radians.
  func turn(to other: CameraPose) -> Float {
    let (a, b, c) = (other.right - right, other.up - up, other.back - back)
    return ((dot(a, a) + dot(b, b) + dot(c, c)) / 2).squareRoot()
  }
}
