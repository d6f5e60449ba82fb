extension SurfaceMesh {
  /// Minimum share of the total area that the net oriented area must have to define a front: 0.5 for a hemisphere, 0
  /// for a sphere.
  private static let leastShare: Float = 0.2

  /// Horizontal unit vector that most of the surface faces, towards the scanning person. Nil if the surface faces all
  /// directions, as after a scan from all sides, or upwards.
  public var front: SIMD3<Float>? {
    var (sum, area) = (SIMD3<Float>.zero, Float(0))
    for corners in triangles {
      let (a, b, c) = (
        positions[Int(corners.x)], positions[Int(corners.y)], positions[Int(corners.z)]
      )
      let (u, v) = (b - a, c - a)
      // Twice the area, in the outward direction.
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
