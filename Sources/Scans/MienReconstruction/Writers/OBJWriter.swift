/// Writes meshes as Wavefront OBJ with the material library `scan.mtl` (``materials``).
///
/// Colors follow the coordinates as three numbers 0…1, which MeshLab, Blender, CloudCompare and others read.
public enum OBJWriter {
  /// Content of `scan.mtl`, to be written next to the mesh: one matte white material.
  public static let materials = "# mien\nnewmtl surface\nKa 0 0 0\nKd 1 1 1\nKs 0 0 0\nd 1\nillum 1\n"
  /// The same with a texture, whose image must be written next to it as `scan.jpg`.
  public static let texturedMaterials = materials + "map_Kd scan.jpg\n"

  static func bytes(of mesh: SurfaceMesh, texture: SurfaceTexture?) -> ContiguousArray<UInt8> {
    var sink = LittleEndianWriter()
    sink.reserve(80 * (mesh.positions.count + mesh.triangles.count))
    sink.put("# mien: metres, right-handed\nmtllib scan.mtl\nusemtl surface\n")
    for vertex in mesh.positions.indices {
      let at = mesh.positions[vertex]
      sink.put("v \(at.x) \(at.y) \(at.z)")
      if !mesh.colors.isEmpty {
        let color = SIMD3<Float>(mesh.colors[vertex]) / 255
        sink.put(" \(color.x) \(color.y) \(color.z)")
      }
      sink.put("\n")
    }
    for normal in mesh.normals { sink.put("vn \(normal.x) \(normal.y) \(normal.z)\n") }
    // The format counts from 1, and its v axis starts at the lower edge.
    for place in texture?.coordinates ?? [] { sink.put("vt \(place.x) \(1 - place.y)\n") }
    for (number, corners) in mesh.triangles.enumerated() {
      sink.put("f")
      for corner in 0..<3 {
        let vertex = corners[corner] + 1
        let place = texture.map { "\($0.triangles[number][corner] + 1)" } ?? ""
        sink.put(" \(vertex)/\(place)/\(vertex)")
      }
      sink.put("\n")
    }
    return sink.bytes
  }
}
