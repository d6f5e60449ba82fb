import MienCore
internal import RealModule

/// The rotation of a head: rows of a 3×3 matrix in ARKit's camera axes (x right, y up, z toward the viewer).
struct RotationMatrix {
  var rows: [SIMD3<Double>]

  /// Extracts the rotation from a 4×4 transform of 16 numbers; `nil` if the transform is not rigid.
  ///
  /// A rigid transform has 0 0 0 1 as its last row, which indicates whether the numbers are in column-major or
  /// row-major order; only a transform without translation is ambiguous, and then `isByColumns` decides.
  init?(transform: [Double], isByColumns: Bool) {
    guard transform.count == 16, transform.allSatisfy({ abs($0) < 1e6 }), abs(transform[15] - 1) < 1e-3 else {
      return nil
    }
    let isZeroRight = [3, 7, 11].allSatisfy { abs(transform[$0]) < 1e-6 }
    let isZeroBelow = [12, 13, 14].allSatisfy { abs(transform[$0]) < 1e-6 }
    guard isZeroRight || isZeroBelow else { return nil }
    let byColumns = isZeroRight == isZeroBelow ? isByColumns : isZeroRight
    func element(_ row: Int, _ column: Int) -> Double { transform[byColumns ? column * 4 + row : row * 4 + column] }
    var columns = (0..<3).map { column in SIMD3((0..<3).map { element($0, column) }) }
    for index in 0..<3 {
      let length = (columns[index] * columns[index]).sum().squareRoot()
      guard length > 0.5, length < 2 else { return nil }
      columns[index] /= length
    }
    for (a, b) in [(0, 1), (0, 2), (1, 2)] where abs((columns[a] * columns[b]).sum()) > 0.01 { return nil }
    let cross = SIMD3(
      columns[0].y * columns[1].z - columns[0].z * columns[1].y,
      columns[0].z * columns[1].x - columns[0].x * columns[1].z,
      columns[0].x * columns[1].y - columns[0].y * columns[1].x)
    guard (cross * columns[2]).sum() > 0.9 else { return nil }
    rows = (0..<3).map { row in SIMD3((0..<3).map { columns[$0][row] }) }
  }

  /// Creates R = Ry(yaw) · Rx(−pitch) · Rz(roll), the order that ``HeadPose`` documents.
  init(_ pose: HeadPose) {
    func radians(_ degrees: Float) -> Double { Double(degrees) * .pi / 180 }
    let (sy, cy) = (Double.sin(radians(pose.yaw)), Double.cos(radians(pose.yaw)))
    let (sp, cp) = (Double.sin(radians(pose.pitch)), Double.cos(radians(pose.pitch)))
    let (sr, cr) = (Double.sin(radians(pose.roll)), Double.cos(radians(pose.roll)))
    rows = [
      SIMD3(cy * cr - sy * sp * sr, -cy * sr - sy * sp * cr, sy * cp),
      SIMD3(cp * sr, cp * cr, sp),
      SIMD3(-sy * cr - cy * sp * sr, sy * sr - cy * sp * cr, cy * cp),
    ]
  }

  /// The head pose: yaw and pitch are the direction of the third column (the nose's axis), roll is the remaining
  /// rotation.
  var pose: HeadPose {
    func degrees(y: Double, x: Double) -> Float { Float(Double.atan2(y: y, x: x) * 180 / .pi) }
    let across = (rows[0].z * rows[0].z + rows[2].z * rows[2].z).squareRoot()
    return HeadPose(
      yaw: degrees(y: rows[0].z, x: rows[2].z), pitch: degrees(y: rows[1].z, x: across),
      roll: degrees(y: rows[1].x, x: rows[1].y))
  }
}
