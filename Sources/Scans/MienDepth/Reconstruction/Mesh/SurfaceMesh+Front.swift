extension SurfaceMesh {
  /// How much of a surface has to face one way for that to be its front, as a part of all: of half a ball it is a half, of a whole one
  /// nothing.
  private static let leastShare: Float = 0.2

  /// The horizontal direction that most of the surface faces, of length 1: whoever scanned it stood there. Nil where it faces all ways,
  /// as what was walked around does, or up.
  public var front: SIMD3<Float>? {
    var (sum, area) = (SIMD3<Float>.zero, Float(0))
    for corners in triangles {
      let (a, b, c) = (
        positions[Int(corners.x)], positions[Int(corners.y)], positions[Int(corners.z)]
      )
      let (u, v) = (b - a, c - a)
      // Twice the area, in the direction of the outside.
      let outwards = SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
      sum += outwards
      area += (outwards * outwards).sum().squareRoot()
    }
    sum.y = 0
    let length = (sum * sum).sum().squareRoot()
    guard area > 0, length >= Self.leastShare * area else { return nil }
    return sum / length
  }
}
