/// Writes meshes and point clouds as binary PLY (Turk, "The PLY polygon file format", 1994).
enum PLYWriter {
  static func bytes(of mesh: SurfaceMesh) -> ContiguousArray<UInt8> {
    var sink = vertices(mesh.positions, mesh.normals, mesh.colors, faces: mesh.triangles.count)
    for corners in mesh.triangles {
      sink.put(UInt8(3))
      sink.put(corners.x)
      sink.put(corners.y)
      sink.put(corners.z)
    }
    return sink.bytes
  }

  static func bytes(of cloud: PointCloud) -> ContiguousArray<UInt8> {
    vertices(cloud.positions, cloud.normals, cloud.colors, faces: nil).bytes
  }

  private static func vertices(
    _ positions: ContiguousArray<SIMD3<Float>>, _ normals: ContiguousArray<SIMD3<Float>>,
    _ colors: ContiguousArray<SIMD3<UInt8>>, faces: Int?
  ) -> LittleEndianWriter {
    var sink = LittleEndianWriter()
    sink.reserve(512 + positions.count * 27 + (faces ?? positions.count) * 13)
    sink.put("ply\nformat binary_little_endian 1.0\ncomment metres, right-handed\nelement vertex \(positions.count)\n")
    for name in ["x", "y", "z"] { sink.put("property float \(name)\n") }
    if !normals.isEmpty { for name in ["nx", "ny", "nz"] { sink.put("property float \(name)\n") } }
    if !colors.isEmpty { for name in ["red", "green", "blue"] { sink.put("property uchar \(name)\n") } }
    if let faces { sink.put("element face \(faces)\nproperty list uchar uint vertex_indices\n") }
    sink.put("end_header\n")
    for vertex in positions.indices {
      sink.put(positions[vertex])
      if !normals.isEmpty { sink.put(normals[vertex]) }
      if !colors.isEmpty {
        sink.put(colors[vertex].x)
        sink.put(colors[vertex].y)
        sink.put(colors[vertex].z)
      }
    }
    return sink
  }
}
