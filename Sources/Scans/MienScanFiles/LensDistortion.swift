internal import MienCore
internal import MienScanFormat

/// Lens distortion in OpenCV's model: radial terms `k1`…`k6` (a polynomial, or with `k4`…`k6` a rational function) and
/// tangential terms `p1` and `p2`, for points on the plane at distance 1.
struct LensDistortion: Hashable, Sendable {
  var k1 = 0.0
  var k2 = 0.0
  var k3 = 0.0
  var k4 = 0.0
  var k5 = 0.0
  var k6 = 0.0
  var p1 = 0.0
  var p2 = 0.0

  /// `true` if distorted and undistorted points are the same.
  var isNone: Bool { self == LensDistortion() }

  /// `true` if every term is a number.
  var isFinite: Bool { [k1, k2, k3, k4, k5, k6, p1, p2].allSatisfy(\.isFinite) }

  /// Returns the position in a distorted image of a point on the plane at distance 1.
  func distorted(x: Double, y: Double) -> (x: Double, y: Double) {
    let square = x * x + y * y
    let above = 1 + square * (k1 + square * (k2 + square * k3))
    let below = 1 + square * (k4 + square * (k5 + square * k6))
    let radial = above / below
    return (
      x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x),
      y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y
    )
  }

  /// Returns the depth map that a camera without distortion would measure: for each sample, the nearest one of `samples`, or 0
  /// outside of them.
  ///
  /// - Parameter camera: intrinsics in pixels of the map, which remain the same.
  func removed(
    from samples: [UInt16], width: Int, height: Int, camera: DoublePrecisionIntrinsics
  ) -> [UInt16] {
    guard !isNone else { return samples }
    var result = [UInt16](repeating: 0, count: samples.count)
    for row in 0..<height {
      let y = (Double(row) - camera.cy) / camera.fy
      for column in 0..<width {
        let place = distorted(x: (Double(column) - camera.cx) / camera.fx, y: y)
        let (u, v) = (place.x * camera.fx + camera.cx, place.y * camera.fy + camera.cy)
        // Comparisons with NaN are false.
        guard u > -0.5, v > -0.5, u < Double(width) - 0.5, v < Double(height) - 0.5 else { continue }
        result[row * width + column] = samples[Int(v + 0.5) * width + Int(u + 0.5)]
      }
    }
    return result
  }
}
