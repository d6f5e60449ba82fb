internal import MienScanFormat

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
