/// A file format for meshes.
public enum MeshFormat: String, Hashable, Sendable, CaseIterable {
  /// Stanford's polygon format, binary, little-endian; with normals and colours.
  case ply
  /// glTF 2.0 in one binary file; with normals and colours.
  case glb
  /// Wavefront's text; with normals, and colours after the coordinates as most programs read them.
  case obj
  /// Stereolithography, binary; without colours.
  case stl
  /// Pixar's scene description in an uncompressed archive, as phones show it; with normals and colours.
  case usdz

  /// The bytes of a mesh in this format. Lengths are in metres in all of them.
  ///
  /// - Throws: ``ReconstructionError`` with code `tooManyVertices` when the file would be larger than its format can
  ///   say (4 GiB).
  public func bytes(of mesh: SurfaceMesh) throws(ReconstructionError) -> ContiguousArray<UInt8> {
    // No format here takes more than this for a vertex and the two triangles that come with it.
    guard mesh.positions.count + mesh.triangles.count < 20_000_000 else {
      throw ReconstructionError(.tooManyVertices, "the mesh is too large for a file: decimate it")
    }
    return switch self {
    case .ply: PLYWriter.bytes(of: mesh)
    case .glb: GLBWriter.bytes(of: mesh)
    case .obj: OBJWriter.bytes(of: mesh)
    case .stl: STLWriter.bytes(of: mesh)
    case .usdz: USDZWriter.bytes(of: mesh)
    }
  }
}
