/// How sure six numbers of a small rigid motion are: the inverse of their covariance, three of the turn (radians) and
/// three of the shift (metres), in the world's axes.
struct PoseInformationMatrix: Sendable {
  /// Row by row, symmetric.
  private(set) var rows: ContiguousArray<Double>

  init(rows: ContiguousArray<Double>) { self.rows = rows }

  /// The same in all directions.
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

  /// The squared length of a motion in standard deviations.
  func square(_ vector: ContiguousArray<Double>) -> Double {
    let product = times(vector)
    return (0..<6).reduce(0) { $0 + product[$1] * vector[$1] }
  }
}

extension CameraPose {
  /// The small turn and the shift from this camera to another, six numbers; the turn is exact to the second order.
  func motion(to other: CameraPose) -> ContiguousArray<Double> {
    let turn = (cross(right, other.right) + cross(up, other.up) + cross(back, other.back)) / 2
    let shift = other.position - position
    return [Double(turn.x), Double(turn.y), Double(turn.z), Double(shift.x), Double(shift.y), Double(shift.z)]
  }
}
