/// A turn and a shift of the world, in metres.
struct RigidMotion {
  /// The images of the three axes.
  private let x: SIMD3<Float>
  private let y: SIMD3<Float>
  private let z: SIMD3<Float>
  private let shift: SIMD3<Float>

  /// The motion that takes camera `a` to where camera `b` is.
  init(from a: CameraPose, to b: CameraPose) {
    func image(_ axis: SIMD3<Float>) -> SIMD3<Float> {
      b.right * dot(a.right, axis) + b.up * dot(a.up, axis) + b.back * dot(a.back, axis)
    }
    x = image(SIMD3(1, 0, 0))
    y = image(SIMD3(0, 1, 0))
    z = image(SIMD3(0, 0, 1))
    shift = b.position - (x * a.position.x + y * a.position.y + z * a.position.z)
  }

  /// A small turn `turn` (radians, about `pivot`) and then a shift. The quaternion (turn / 2, 1), normalised, stands
  /// for the turn: exact to the second order, and a rotation at any size.
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

  /// The camera after the motion, its axes made square again; nil when it is not a pose any more.
  func moved(_ pose: CameraPose) -> CameraPose? {
    let back = turned(pose.back)
    let rough = turned(pose.right)
    let right = rough - back * (dot(rough, back) / dot(back, back))
    let (b, r) = (back / dot(back, back).squareRoot(), right / dot(right, right).squareRoot())
    return try? CameraPose(right: r, up: cross(b, r), back: b, position: turned(pose.position) + shift)
  }
}

extension CameraPose {
  /// How far another camera is away, in metres.
  func distance(to other: CameraPose) -> Float {
    let arm = other.position - position
    return dot(arm, arm).squareRoot()
  }

  /// By how much another camera is turned: the length of the difference of the axes over √2, which is the angle in
  /// radians while it is small.
  func turn(to other: CameraPose) -> Float {
    let (a, b, c) = (other.right - right, other.up - up, other.back - back)
    return ((dot(a, a) + dot(b, b) + dot(c, c)) / 2).squareRoot()
  }
}
