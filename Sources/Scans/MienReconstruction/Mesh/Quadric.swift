/// Sum of squared distances to planes as a function of position (Garland and Heckbert, "Surface simplification using
/// quadric error metrics", 1997).
struct Quadric {
  /// The symmetric 3×3 matrix, the vector and the constant: p·A·p + 2 b·p + c.
  private var diagonal = SIMD3<Double>.zero
  /// Elements xy, xz, yz of A.
  private var mixed = SIMD3<Double>.zero
  private var vector = SIMD3<Double>.zero
  private var constant = 0.0

  init() {}

  /// Creates the quadric of the plane through `point` with unit normal `normal`, multiplied by `weight`.
  init(normal: SIMD3<Double>, point: SIMD3<Double>, weight: Double) {
    let offset = -(normal * point).sum()
    diagonal = normal * normal * weight
    mixed = SIMD3(normal.x * normal.y, normal.x * normal.z, normal.y * normal.z) * weight
    vector = normal * (offset * weight)
    constant = offset * offset * weight
  }

  static func + (left: Quadric, right: Quadric) -> Quadric {
    var sum = left
    sum.diagonal += right.diagonal
    sum.mixed += right.mixed
    sum.vector += right.vector
    sum.constant += right.constant
    return sum
  }

  /// Returns the error at a position, in square meters times weight.
  func error(at p: SIMD3<Double>) -> Double {
    let square = (diagonal * p * p).sum() + 2 * (mixed.x * p.x * p.y + mixed.y * p.x * p.z + mixed.z * p.y * p.z)
    return max(square + 2 * (vector * p).sum() + constant, 0)
  }

  /// Position of minimum error; nil if the planes do not determine it.
  var best: SIMD3<Double>? {
    let (a, d, f) = (diagonal.x, diagonal.y, diagonal.z)
    let (b, c, e) = (mixed.x, mixed.y, mixed.z)
    let cofactors = SIMD3(d * f - e * e, c * e - b * f, b * e - c * d)
    let determinant = a * cofactors.x + b * cofactors.y + c * cofactors.z
    let size = (a + d + f) / 3
    guard determinant > 1e-3 * size * size * size, size > 0 else { return nil }
    let x = cofactors.x * vector.x + cofactors.y * vector.y + cofactors.z * vector.z
    let y = cofactors.y * vector.x + (a * f - c * c) * vector.y + (b * c - a * e) * vector.z
    let z = cofactors.z * vector.x + (b * c - a * e) * vector.y + (a * d - b * b) * vector.z
    return SIMD3(x, y, z) / -determinant
  }
}
