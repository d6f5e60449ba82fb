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
  /// - Parameters:
  ///   - mesh: the mesh.
  ///   - texture: texture of this mesh, for formats that support it. ``obj`` refers to the texture image without
  ///     embedding it: write the image next to the mesh, with the material library of ``OBJFiles/ofScan``.
  /// - Throws: ``ReconstructionError`` with code `tooManyVertices` if the file would exceed the format's limit (4 GiB).
  public func bytes(
    of mesh: SurfaceMesh, texture: EncodedTexture? = nil
  ) throws(ReconstructionError) -> ContiguousArray<UInt8> {
    try Self.check(mesh)
    return switch self {
    case .ply: PLYWriter.bytes(of: mesh)
    case .glb: GLBWriter.bytes(of: mesh, texture: texture)
    case .obj: OBJFiles.ofScan.bytes(of: mesh, texture: texture?.texture)
    case .stl: STLWriter.bytes(of: mesh)
    case .usdz: USDZWriter.bytes(of: mesh, texture: texture)
    }
  }

  /// - Throws: ``ReconstructionError`` with code `tooManyVertices` if a file of any format could be too large.
  static func check(_ mesh: SurfaceMesh) throws(ReconstructionError) {
    // Conservative for all formats: bytes per vertex and its two triangles.
    guard mesh.positions.count + mesh.triangles.count < 20_000_000 else {
      throw ReconstructionError(.tooManyVertices, "the mesh is too large for a file: decimate it")
    }
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
    sink.put("ply\nformat binary_little_endian 1.0\ncomment meters, right-handed\nelement vertex \(positions.count)\n")
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
    sink.put("mien, meters")
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

/// Writes little-endian values to a byte buffer.
struct LittleEndianWriter {
  private(set) var bytes: ContiguousArray<UInt8> = []

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
  mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func put(_ more: ContiguousArray<UInt8>) { bytes.append(contentsOf: more) }
  mutating func put(_ byte: UInt8) { bytes.append(byte) }
  mutating func put(_ number: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: number))
    bytes.append(UInt8(truncatingIfNeeded: number >> 8))
  }
  mutating func put(_ number: UInt32) {
    put(UInt16(truncatingIfNeeded: number))
    put(UInt16(truncatingIfNeeded: number >> 16))
  }
  mutating func put(_ number: Float) { put(number.bitPattern) }
  mutating func put(_ vector: SIMD3<Float>) {
    put(vector.x)
    put(vector.y)
    put(vector.z)
  }

  /// Appends bytes until the size is a multiple of `alignment`.
  mutating func pad(to alignment: Int, with byte: UInt8) {
    while bytes.count % alignment != 0 { bytes.append(byte) }
  }
}
