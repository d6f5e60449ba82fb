/// Writes meshes as binary glTF 2.0 (Khronos; ISO/IEC 12113): a JSON chunk and one buffer.
enum GLBWriter {
  static func bytes(of mesh: SurfaceMesh) -> ContiguousArray<UInt8> {
    let buffer = buffer(of: mesh)
    var json = ByteSink()
    json.put(description(of: mesh, bufferLength: buffer.count))
    json.pad(to: 4, with: UInt8(ascii: " "))
    var sink = ByteSink()
    sink.reserve(28 + json.bytes.count + buffer.count)
    sink.put("glTF")
    sink.put(UInt32(2))
    sink.put(UInt32(12 + 8 + json.bytes.count + 8 + buffer.count))
    sink.put(UInt32(json.bytes.count))
    sink.put("JSON")
    sink.put(json.bytes)
    sink.put(UInt32(buffer.count))
    sink.put("BIN\0")
    sink.put(buffer)
    return sink.bytes
  }

  private static func buffer(of mesh: SurfaceMesh) -> ContiguousArray<UInt8> {
    var sink = ByteSink()
    sink.reserve(mesh.positions.count * 32 + mesh.triangles.count * 12)
    for position in mesh.positions { sink.put(position) }
    for normal in mesh.normals { sink.put(normal) }
    for corners in mesh.triangles {
      sink.put(corners.x)
      sink.put(corners.y)
      sink.put(corners.z)
    }
    for colour in mesh.colours {
      for channel in 0..<3 { sink.put(linear[Int(colour[channel])]) }
      sink.put(UInt16.max)
    }
    return sink.bytes
  }

  /// sRGB to linear light (IEC 61966-2-1), which glTF asks of colours at vertices, in 1/65535. The power 2.4 is taken
  /// as the square times the square root of the square root, corrected by one step of Newton from x^0.4.
  private static let linear: ContiguousArray<UInt16> = ContiguousArray(
    (0..<256).map { code in
      let value = Double(code) / 255
      guard value > 0.04045 else { return UInt16((value / 12.92 * 65535).rounded()) }
      let base = (value + 0.055) / 1.055
      // y = base^0.4 solves y^5 = base².
      var root = base.squareRoot()
      for _ in 0..<20 { root -= (root * root * root * root * root - base * base) / (5 * root * root * root * root) }
      return UInt16((base * base * root * 65535).rounded())
    })

  private static func description(of mesh: SurfaceMesh, bufferLength: Int) -> String {
    let (vertices, triangles) = (mesh.positions.count, mesh.triangles.count)
    let (least, most) = mesh.bounds ?? (.zero, .zero)
    let hasColours = !mesh.colours.isEmpty
    var views = [
      view(0, vertices * 12, target: 34962), view(vertices * 12, vertices * 12, target: 34962),
      view(vertices * 24, triangles * 12, target: 34963),
    ]
    var accessors = [
      accessor(
        0, 5126, vertices, "VEC3",
        #","min":[\#(least.x),\#(least.y),\#(least.z)],"max":[\#(most.x),\#(most.y),\#(most.z)]"#),
      accessor(1, 5126, vertices, "VEC3"), accessor(2, 5125, triangles * 3, "SCALAR"),
    ]
    if hasColours {
      views.append(view(vertices * 24 + triangles * 12, vertices * 8, target: 34962))
      accessors.append(accessor(3, 5123, vertices, "VEC4", #","normalized":true"#))
    }
    let attributes = #""POSITION":0,"NORMAL":1"# + (hasColours ? #","COLOR_0":3"# : "")
    let material =
      #"{"pbrMetallicRoughness":{"metallicFactor":0,"roughnessFactor":0.9},"doubleSided":true}"#
    return #"{"asset":{"version":"2.0","generator":"mien"},"scene":0,"scenes":[{"nodes":[0]}],"#
      + #""nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{\#(attributes)},"indices":2,"material":0}]}],"#
      + #""materials":[\#(material)],"accessors":[\#(accessors.joined(separator: ","))],"#
      + #""bufferViews":[\#(views.joined(separator: ","))],"buffers":[{"byteLength":\#(bufferLength)}]}"#
  }

  private static func view(_ offset: Int, _ length: Int, target: Int) -> String {
    #"{"buffer":0,"byteOffset":\#(offset),"byteLength":\#(length),"target":\#(target)}"#
  }

  private static func accessor(_ view: Int, _ kind: Int, _ count: Int, _ shape: String, _ more: String = "") -> String {
    #"{"bufferView":\#(view),"componentType":\#(kind),"count":\#(count),"type":"\#(shape)"\#(more)}"#
  }
}
