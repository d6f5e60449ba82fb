/// Normal equations of a small rigid motion with six unknowns: three of the rotation and three of the translation.
struct PoseNormalEquations {
  /// Lower triangle of the symmetric 6×6 matrix, row by row.
  private var matrix = ContiguousArray<Double>(repeating: 0, count: 36)
  private var right = ContiguousArray<Double>(repeating: 0, count: 6)
  /// Number of measurements, and the sum of their weighted squared residuals.
  private(set) var count = 0
  private(set) var squares = 0.0

  /// Adds a point at `arm` from the pivot and at distance `residual` from a plane with normal `normal`; the motion
  /// should make `residual + normal · (turn × arm + shift)` zero.
  mutating func add(arm: SIMD3<Float>, normal: SIMD3<Float>, residual: Float, weight: Float) {
    let turn = SIMD3(
      arm.y * normal.z - arm.z * normal.y, arm.z * normal.x - arm.x * normal.z, arm.x * normal.y - arm.y * normal.x)
    let row = SIMD8<Float>(turn.x, turn.y, turn.z, normal.x, normal.y, normal.z, 0, 0)
    let scaled = row * weight
    for i in 0..<6 {
      for j in 0...i { matrix[i * 6 + j] += Double(scaled[i] * row[j]) }
      right[i] -= Double(scaled[i] * residual)
    }
    count += 1
    squares += Double(weight * residual * residual)
  }

  /// The complete matrix, row by row.
  var symmetric: ContiguousArray<Double> {
    var whole = matrix
    for row in 0..<6 {
      for column in 0..<row { whole[column * 6 + row] = matrix[row * 6 + column] }
    }
    return whole
  }

  /// Multiplies both sides of the equations.
  mutating func scale(by factor: Double) {
    for index in matrix.indices { matrix[index] *= factor }
    for index in right.indices { right[index] *= factor }
  }

  /// Adds a penalty for the deviation of an unknown from `target`, with weight `stiffness`.
  mutating func hold(_ unknown: Int, to target: Double, stiffness: Double) {
    matrix[unknown * 7] += stiffness
    right[unknown] += stiffness * target
  }

  /// Returns rotation and translation by Cholesky factorization; nil if the matrix is not positive definite.
  func solved() -> (turn: SIMD3<Float>, shift: SIMD3<Float>)? {
    var factor = matrix
    for i in 0..<6 {
      for j in 0...i {
        var sum = factor[i * 6 + j]
        for k in 0..<j { sum -= factor[i * 6 + k] * factor[j * 6 + k] }
        if i == j {
          guard sum > 1e-12 * (matrix[i * 7] + 1e-30) else { return nil }
          factor[i * 7] = sum.squareRoot()
        } else {
          factor[i * 6 + j] = sum / factor[j * 7]
        }
      }
    }
    var x = right
    for i in 0..<6 {
      for k in 0..<i { x[i] -= factor[i * 6 + k] * x[k] }
      x[i] /= factor[i * 7]
    }
    for i in (0..<6).reversed() {
      for k in i..<6 where k > i { x[i] -= factor[k * 6 + i] * x[k] }
      x[i] /= factor[i * 7]
    }
    guard x.allSatisfy(\.isFinite) else { return nil }
    return (SIMD3(Float(x[0]), Float(x[1]), Float(x[2])), SIMD3(Float(x[3]), Float(x[4]), Float(x[5])))
  }
}

/// Evenly distributed sample of a depth map's points, in camera coordinates.
struct PointSample {
  var points: ContiguousArray<SIMD3<Float>> = []

  /// Samples about `wanted` points of the map.
  init(_ map: DepthMap, wanted: Int) {
    let valid = map.validCount
    guard valid > 0 else { return }
    // Every stride-th sample of every stride-th row, with rows shifted so that columns do not repeat.
    let stride = max(1, Int((Float(valid) / Float(wanted)).squareRoot().rounded()))
    points.reserveCapacity(wanted * 2)
    for y in Swift.stride(from: stride / 2, to: map.height, by: stride) {
      for x in Swift.stride(from: (y / stride) % stride, to: map.width, by: stride) {
        if let point = map.point(x: x, y: y) { points.append(point) }
      }
    }
  }
}
