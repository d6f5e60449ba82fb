internal import MienScanFormat

/// A file format for meshes.
public enum MeshFormat: String, Hashable, Sendable, CaseIterable {
  /// Stanford polygon format, binary, little-endian; with normals and colors.
  case ply
  /// glTF 2.0 in one binary file; with normals, and the texture or colors.
  case glb
  /// Wavefront OBJ text; with normals, texture coordinates, and colors after the coordinates, as most programs read
  /// them.
  case obj
  /// Stereolithography (STL), binary; without colors.
  case stl
  /// Pixar's scene description in an uncompressed archive, as displayed by phones; with normals, and the texture or
  /// colors.
  case usdz

  /// `true` if the format supports textures.
  public var carriesTexture: Bool {
    switch self {
    case .glb, .obj, .usdz: true
    case .ply, .stl: false
    }
  }

  /// Encodes a mesh in this format. Lengths are in meters in all formats.
  ///
  /// - Parameter texture: texture of this mesh, for formats that support it. ``obj`` refers to the texture image
  ///   without embedding it: write the image next to the mesh, with ``OBJWriter/texturedMaterials``.
  /// - Throws: ``ReconstructionError`` with code `tooManyVertices` if the file would exceed the format's limit (4 GiB).
  public func bytes(
    of mesh: SurfaceMesh, texture: EncodedTexture? = nil
  ) throws(ReconstructionError) -> ContiguousArray<UInt8> {
    // Conservative for all formats: bytes per vertex and its two triangles.
    guard mesh.positions.count + mesh.triangles.count < 20_000_000 else {
      throw ReconstructionError(.tooManyVertices, "the mesh is too large for a file: decimate it")
    }
    return switch self {
    case .ply: PLYWriter.bytes(of: mesh)
    case .glb: GLBWriter.bytes(of: mesh, texture: texture)
    case .obj: OBJWriter.bytes(of: mesh, texture: texture?.texture)
    case .stl: STLWriter.bytes(of: mesh)
    case .usdz: USDZWriter.bytes(of: mesh, texture: texture)
    }
  }
}

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

/// Writes meshes as binary STL. The format has no unit; numbers are meters.
enum STLWriter {
  static func bytes(of mesh: SurfaceMesh) -> ContiguousArray<UInt8> {
    var sink = LittleEndianWriter()
    sink.reserve(84 + 50 * mesh.triangles.count)
    // The first line must not start with "solid", which identifies the text format.
    sink.put("mien, metres")
    sink.pad(to: 80, with: UInt8(ascii: " "))
    sink.put(UInt32(mesh.triangles.count))
    for corners in mesh.triangles {
      let normal = mesh.doubleArea(corners)
      let length = dot(normal, normal).squareRoot()
      sink.put(length > 0 ? normal / length : SIMD3<Float>(0, 0, 0))
      for corner in 0..<3 { sink.put(mesh.positions[Int(corners[corner])]) }
      sink.put(UInt16(0))
    }
    return sink.bytes
  }
}
