/// Plane z = a + b·x + c·y through most of the points: least trimmed squares by repeated refitting (concentration steps, Rousseeuw and
/// Van Driessen 2006).
struct RobustPlaneFit {
  private let origin: SIMD3<Double>
  /// Unit normal of the plane, toward the camera.
  private let normal: SIMD3<Double>
  /// Root mean square distance of the points that were not trimmed, mm.
  let residual: Double

  /// Returns `nil` if the points are collinear.
  init?(_ cells: [FaceDepthPatch.Cell], trimmed: Double) {
    var kept = cells.map(\.position)
    let keep = max(3, Int(Double(cells.count) * (1 - trimmed)))
    var fit: (origin: SIMD3<Double>, normal: SIMD3<Double>)?
    for _ in 0..<4 {
      guard let next = Self.leastSquares(kept) else { return nil }
      fit = next
      kept = cells.map { ($0.position, abs(dot($0.position - next.origin, next.normal))) }
        .sorted { $0.1 < $1.1 }.prefix(keep).map(\.0)
    }
    guard let fit else { return nil }
    origin = fit.origin
    normal = fit.normal
    let squares = kept.reduce(0) { sum, point in
      let distance = dot(point - fit.origin, fit.normal)
      return sum + distance * distance
    }
    residual = (squares / Double(kept.count)).squareRoot()
  }

  private static func leastSquares(
    _ points: [SIMD3<Double>]
  ) -> (origin: SIMD3<Double>, normal: SIMD3<Double>)? {
    let mean = points.reduce(SIMD3<Double>.zero, +) / Double(points.count)
    var xx = 0.0
    var xy = 0.0
    var yy = 0.0
    var xz = 0.0
    var yz = 0.0
    for point in points {
      let d = point - mean
      xx += d.x * d.x
      xy += d.x * d.y
      yy += d.y * d.y
      xz += d.x * d.z
      yz += d.y * d.z
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-6 * xx * yy else { return nil }
    let b = (xz * yy - yz * xy) / determinant
    let c = (yz * xx - xz * xy) / determinant
    let length = (1 + b * b + c * c).squareRoot()
    return (mean, SIMD3(b, c, -1) / length)
  }

  /// Returns the points as heights above this plane.
  func surface(of cells: [FaceDepthPatch.Cell]) -> FaceHeightField {
    // Two perpendicular directions in the plane; the first has no y component.
    let across = unit(SIMD3(-normal.z, 0, normal.x))
    let along = SIMD3(
      normal.y * across.z - normal.z * across.y, normal.z * across.x - normal.x * across.z,
      normal.x * across.y - normal.y * across.x)
    return FaceHeightField(
      points: cells.map { cell in
        let d = cell.position - origin
        return FaceHeightField.Point(
          u: cell.u, v: cell.v, across: dot(d, across), along: dot(d, along), height: dot(d, normal))
      })
  }
}

/// Face as heights above its best plane, mm.
struct FaceHeightField {
  struct Point {
    var u: Double
    var v: Double
    var across: Double
    var along: Double
    /// Height toward the camera, mm.
    var height: Double

    var radius: Double { (u * u + v * v).squareRoot() }
  }

  let points: [Point]

  func heights(where isWanted: (Point) -> Bool) -> [Double] { points.filter(isWanted).map(\.height) }
}

func dot(_ left: SIMD3<Double>, _ right: SIMD3<Double>) -> Double { (left * right).sum() }
func unit(_ vector: SIMD3<Double>) -> SIMD3<Double> { vector / dot(vector, vector).squareRoot() }
