/// Rasterizes a triangle with a border around it.
enum TriangleRasterizer {
  /// Calls `visit` for each pixel whose center is in the triangle or less than `rim` pixels outside its edges, with its
  /// barycentric coordinates; those of border pixels belong to the nearest point on the edges.
  static func visit(
    _ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>, rim: Float, within size: SIMD2<Int>,
    _ visit: (_ x: Int, _ y: Int, _ shares: SIMD3<Float>) -> Void
  ) {
    let least = pointwiseMin(a, pointwiseMin(b, c)) - rim
    let most = pointwiseMax(a, pointwiseMax(b, c)) + rim
    let (left, right) = (max(0, Int(least.x.rounded(.up))), min(size.x - 1, Int(most.x.rounded(.down))))
    let (top, bottom) = (max(0, Int(least.y.rounded(.up))), min(size.y - 1, Int(most.y.rounded(.down))))
    guard left <= right, top <= bottom else { return }
    let area = cross(b - a, c - a)
    // Decrease of a barycentric coordinate per pixel of distance from the edge opposite the corner.
    func slack(_ p: SIMD2<Float>, _ q: SIMD2<Float>) -> Float {
      let edge = q - p
      return rim * (edge * edge).sum().squareRoot() / max(abs(area), 1e-6)
    }
    let allowed = SIMD3(slack(b, c), slack(c, a), slack(a, b))
    let isFlat = abs(area) < 1e-6
    for y in top...bottom {
      for x in left...right {
        let p = SIMD2(Float(x), Float(y))
        var shares = SIMD3<Float>(repeating: 1 / 3)
        if !isFlat {
          shares = SIMD3(cross(b - p, c - p), cross(c - p, a - p), cross(a - p, b - p)) / area
          guard shares.x >= -allowed.x, shares.y >= -allowed.y, shares.z >= -allowed.z else { continue }
          shares = pointwiseMax(shares, .zero)
          shares /= shares.sum()
        }
        visit(x, y, shares)
      }
    }
  }

  private static func cross(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float { a.x * b.y - a.y * b.x }
}
