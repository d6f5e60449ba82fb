extension SurfaceMesh {
  /// Returns a mesh of a z-up world rotated to y-up, as file formats and viewers expect.
  public func rotatedToYUp() -> SurfaceMesh {
    var mesh = self
    for vertex in mesh.positions.indices {
      let (p, n) = (positions[vertex], normals[vertex])
      mesh.positions[vertex] = SIMD3(p.x, p.z, -p.y)
      mesh.normals[vertex] = SIMD3(n.x, n.z, -n.y)
    }
    return mesh
  }
}
