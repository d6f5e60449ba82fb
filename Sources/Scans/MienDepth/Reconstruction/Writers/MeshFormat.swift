/// A file format for meshes.
public enum MeshFormat: String, Hashable, Sendable, CaseIterable {
  /// Stanford's polygon format, binary, little-endian; with normals and colours.
  case ply
  /// glTF 2.0 in one binary file; with normals, and the texture or colours.
  case glb
  /// Wavefront's text; with normals, places in a texture, and colours after the coordinates as most programs read them.
  case obj
  /// Stereolithography, binary; without colours.
  case stl
  /// Pixar's scene description in an uncompressed archive, as phones show it; with normals, and the texture or colours.
  case usdz

  /// Whether the format can lay a picture onto a mesh.
  public var carriesTexture: Bool {
    switch self {
    case .glb, .obj, .usdz: true
    case .ply, .stl: false
    }
  }

  /// The bytes of a mesh in this format. Lengths are in metres in all of them.
  ///
  /// - Parameter texture: of this mesh; written by the formats that carry one. ``obj`` names its picture and has it not in it:
  ///   write that beside it, with ``OBJWriter/texturedMaterials``.
  /// - Throws: ``ReconstructionError`` with code `tooManyVertices` when the file would be larger than its format can
  ///   say (4 GiB).
  public func bytes(
    of mesh: SurfaceMesh, texture: EncodedTexture? = nil
  ) throws(ReconstructionError) -> ContiguousArray<UInt8> {
    // No format here takes more than this for a vertex and the two triangles that come with it.
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
