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
