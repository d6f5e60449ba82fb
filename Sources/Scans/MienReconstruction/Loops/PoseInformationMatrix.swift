internal import MienScanFormat

/// Information matrix of a small rigid motion: the inverse of the covariance of three rotation components (radians) and
/// three translation components (meters), in world axes.
struct PoseInformationMatrix: Sendable {
  /// Elements row by row, symmetric.
  private(set) var rows: ContiguousArray<Double>

  init(rows: ContiguousArray<Double>) { self.rows = rows }

  /// Creates an isotropic matrix.
  init(turnNoise: Float, shiftNoise: Float) {
    rows = ContiguousArray(repeating: 0, count: 36)
    for axis in 0..<3 {
      rows[axis * 7] = Double(1 / (turnNoise * turnNoise))
      rows[(axis + 3) * 7] = Double(1 / (shiftNoise * shiftNoise))
    }
  }

  subscript(row: Int, column: Int) -> Double { rows[row * 6 + column] }

  func times(_ vector: ContiguousArray<Double>) -> ContiguousArray<Double> {
    ContiguousArray((0..<6).map { row in (0..<6).reduce(0) { $0 + self[row, $1] * vector[$1] } })
  }

  /// Returns the squared Mahalanobis length of a motion.
  func square(_ vector: ContiguousArray<Double>) -> Double {
    let product = times(vector)
    return (0..<6).reduce(0) { $0 + product[$1] * vector[$1] }
  }
}

extension CameraPose {
  /// Returns the small rotation and the translation from this camera to another, as six numbers; the rotation is
  /// accurate to second order.
  func motion(to other: CameraPose) -> ContiguousArray<Double> {
    let turn = (cross(right, other.right) + cross(up, other.up) + cross(back, other.back)) / 2
    let shift = other.position - position
    return [Double(turn.x), Double(turn.y), Double(turn.z), Double(shift.x), Double(shift.y), Double(shift.z)]
  }
}
