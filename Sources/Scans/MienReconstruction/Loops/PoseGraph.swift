internal import MienScanFormat

/// Camera poses and relative-pose constraints; the best-fitting poses are found by Gauss–Newton on rigid motions
/// (Grisetti et al., "A tutorial on graph-based SLAM", 2010).
struct PoseGraph {
  /// Constraint: the pose of camera `to` relative to camera `from` equals that of `end` relative to `start`.
  struct Edge {
    let from: Int
    let to: Int
    let start: CameraPose
    let end: CameraPose
    /// Information matrix of the residual motion, about camera `to`.
    let information: PoseInformationMatrix
    /// `true` for loop closures, which can be rejected; odometry edges cannot.
    let isLoop: Bool
  }

  /// Camera poses; the first one is fixed.
  private(set) var poses: [CameraPose]
  private(set) var edges: [Edge]

  init(_ poses: [CameraPose], edges: [Edge]) {
    self.poses = poses
    self.edges = edges
  }

  /// Applies a motion to all cameras.
  mutating func move(by motion: RigidMotion) { poses = poses.map { motion.moved($0) ?? $0 } }

  /// Standard deviations beyond which the influence of a loop no longer grows (Huber), and beyond which it is rejected.
  private static let (huberThreshold, rejectionThreshold) = (3.0, 6.0)

  /// Number of accepted loops.
  var loopCount: Int { edges.count { $0.isLoop } }

  /// Optimizes the poses; loops inconsistent with the others are removed one by one.
  ///
  /// - Parameter isWanted: called before every step; returns `false` to cancel.
  /// - Returns: `false` if there is no solution or the run was canceled; the poses are then invalid.
  mutating func solve(while isWanted: () -> Bool = { true }) -> Bool {
    let start = poses
    while true {
      poses = start
      guard optimize(while: isWanted) else { return false }
      let worst = edges.indices.filter { edges[$0].isLoop }.map { (index: $0, square: square(edges[$0])) }
        .max { ($0.square, $0.index) < ($1.square, $1.index) }
      guard let worst, worst.square > Self.rejectionThreshold * Self.rejectionThreshold else { return true }
      edges.remove(at: worst.index)
    }
  }

  private func square(_ edge: Edge) -> Double {
    residual(edge).map { edge.information.square($0.motion) } ?? .infinity
  }

  /// Returns the motion that would move camera `to` to where the edge requires it, and that pose.
  private func residual(_ edge: Edge) -> (motion: ContiguousArray<Double>, wanted: CameraPose)? {
    guard let wanted = RigidMotion(from: edge.start, to: poses[edge.from]).moved(edge.end) else { return nil }
    return (poses[edge.to].motion(to: wanted), wanted)
  }

  private mutating func optimize(while isWanted: () -> Bool) -> Bool {
    for _ in 0..<12 {
      guard isWanted(), let largest = step() else { return false }
      if largest < 1e-6 { break }
    }
    return true
  }

  /// Performs one step; returns the square of the largest change, in radians or meters.
  private mutating func step() -> Double? {
    let size = 6 * (poses.count - 1)
    var first = (0..<size).map { $0 / 6 * 6 }
    for edge in edges where edge.from > 0 {
      for axis in 0..<6 { first[6 * (edge.to - 1) + axis] = min(first[6 * (edge.to - 1) + axis], 6 * (edge.from - 1)) }
    }
    var matrix = SkylineMatrix(first: first)
    var right = ContiguousArray<Double>(repeating: 0, count: size)
    for edge in edges { guard addEquations(edge, &matrix, &right) else { return nil } }
    guard let change = matrix.solve(right), change.allSatisfy(\.isFinite) else { return nil }
    for node in 1..<poses.count {
      let own = change[(6 * (node - 1))..<(6 * node)].map { Float($0) }
      let motion = RigidMotion(
        turn: SIMD3(own[0], own[1], own[2]), shift: SIMD3(own[3], own[4], own[5]), about: poses[node].position)
      guard let moved = motion.moved(poses[node]) else { return nil }
      poses[node] = moved
    }
    return change.reduce(0) { max($0, $1 * $1) }
  }

  /// Adds an edge to the normal equations. With residual motion r, moving `to` by m subtracts m; moving `from` by
  /// (turn, shift) adds (turn, shift + turn × offset), where the offset points from `from` to the required position of
  /// `to`.
  private func addEquations(_ edge: Edge, _ matrix: inout SkylineMatrix, _ right: inout ContiguousArray<Double>) -> Bool
  {
    guard let (motion, wanted) = residual(edge) else { return false }
    let information = edge.information
    let deviations = information.square(motion).squareRoot()
    let weight = edge.isLoop && deviations > Self.huberThreshold ? Self.huberThreshold / deviations : 1
    let weightedResidual = information.times(motion)
    let to = 6 * (edge.to - 1)
    for row in 0..<6 {
      right[to + row] += weight * weightedResidual[row]
      for column in 0...row { matrix.add(weight * information[row, column], row: to + row, column: to + column) }
    }
    guard edge.from > 0 else { return true }
    let from = 6 * (edge.from - 1)
    let offset = wanted.position - poses[edge.from].position
    let (x, y, z) = (Double(offset.x), Double(offset.y), Double(offset.z))
    // Row by row: derivative of the residual motion with respect to the motion of `from`.
    var change = ContiguousArray<Double>(repeating: 0, count: 36)
    for axis in 0..<6 { change[axis * 7] = 1 }
    (change[19], change[20], change[24], change[26], change[30], change[31]) = (z, -y, -z, x, y, -x)
    for row in 0..<6 {
      // The row of changeᵀ · information.
      let product = (0..<6).map { column in
        (0..<6).reduce(0) { $0 + change[$1 * 6 + row] * information[$1, column] }
      }
      right[from + row] -= weight * (0..<6).reduce(0) { $0 + product[$1] * motion[$1] }
      for column in 0..<6 { matrix.add(-weight * product[column], row: to + column, column: from + row) }
      for column in 0...row {
        let value = (0..<6).reduce(0) { $0 + product[$1] * change[$1 * 6 + column] }
        matrix.add(weight * value, row: from + row, column: from + column)
      }
    }
    return true
  }
}

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
