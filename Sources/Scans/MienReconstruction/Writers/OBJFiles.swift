/// Writes a mesh as Wavefront OBJ with its material library and texture, all named after the mesh.
///
/// Colors follow the coordinates as three numbers 0…1, which MeshLab, Blender, CloudCompare and others read.
public struct OBJFiles: Sendable {
  /// Name of the material library, to be written next to the mesh.
  public let materialsName: String
  /// Name of the texture image, to be written next to the mesh.
  public let textureName: String

  /// Names of a surface that is alone in its folder.
  public static let ofScan = OBJFiles(stem: "scan")

  /// - Parameter stem: name of the mesh without its extension. Spaces become underscores in the names of the other
  ///   files, because many programs take only the first word.
  public init(stem: String) {
    let plain = String(stem.map { $0.isWhitespace || $0.isNewline ? "_" : $0 })
    materialsName = plain + ".mtl"
    textureName = plain + ".jpg"
  }

  private static let firstLine = "# mien\n"

  /// Content of the material library: one matte white material, with the texture if there is one.
  public func materials(isTextured: Bool) -> String {
    Self.firstLine + "newmtl surface\nKa 0 0 0\nKd 1 1 1\nKs 0 0 0\nd 1\nillum 1\n"
      + (isTextured ? textureLine : "")
  }

  /// Line of the material library that names the texture.
  public var textureLine: String { "map_Kd \(textureName)\n" }

  /// Returns `true` for a material library that this project wrote.
  public static func isOurs(_ materials: String) -> Bool { materials.hasPrefix(firstLine) }

  /// Encodes the mesh.
  ///
  /// - Throws: ``ReconstructionError`` as ``MeshFormat/bytes(of:texture:)``.
  public func mesh(
    _ mesh: SurfaceMesh, _ texture: SurfaceTexture?
  ) throws(ReconstructionError) -> ContiguousArray<UInt8> {
    try MeshFormat.check(mesh)
    return bytes(of: mesh, texture: texture)
  }

  func bytes(of mesh: SurfaceMesh, texture: SurfaceTexture?) -> ContiguousArray<UInt8> {
    var sink = LittleEndianWriter()
    sink.reserve(80 * (mesh.positions.count + mesh.triangles.count))
    sink.put("# mien: meters, right-handed\nmtllib \(materialsName)\nusemtl surface\n")
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
