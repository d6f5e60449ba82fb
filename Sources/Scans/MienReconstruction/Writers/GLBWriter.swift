internal import RealModule

/// Writes meshes as binary glTF 2.0 (Khronos; ISO/IEC 12113): a JSON chunk and one buffer.
enum GLBWriter {
  /// - Parameter texture: texture used in place of the mesh's colors; vertices on seams are duplicated for each chart.
  static func bytes(of mesh: SurfaceMesh, texture: EncodedTexture?) -> ContiguousArray<UInt8> {
    var parts = Parts()
    if let texture {
      let places = texture.texture
      parts.positions(ContiguousArray(places.vertices.map { mesh.positions[Int($0)] }), bounds: mesh.bounds)
      parts.normals(ContiguousArray(places.vertices.map { mesh.normals[Int($0)] }))
      parts.corners(places.triangles)
      parts.coordinates(places.coordinates)
      parts.image(texture.jpeg)
    } else {
      parts.positions(mesh.positions, bounds: mesh.bounds)
      parts.normals(mesh.normals)
      parts.corners(mesh.triangles)
      if !mesh.colors.isEmpty { parts.colors(mesh.colors) }
    }
    var buffer = parts.buffer
    buffer.pad(to: 4, with: 0)
    var json = LittleEndianWriter()
    json.put(description(of: parts, bufferLength: buffer.bytes.count))
    json.pad(to: 4, with: UInt8(ascii: " "))
    var sink = LittleEndianWriter()
    sink.reserve(28 + json.bytes.count + buffer.bytes.count)
    sink.put("glTF")
    sink.put(UInt32(2))
    sink.put(UInt32(12 + 8 + json.bytes.count + 8 + buffer.bytes.count))
    sink.put(UInt32(json.bytes.count))
    sink.put("JSON")
    sink.put(json.bytes)
    sink.put(UInt32(buffer.bytes.count))
    sink.put("BIN\0")
    sink.put(buffer.bytes)
    return sink.bytes
  }

  /// The buffer and its JSON descriptions.
  private struct Parts {
    var buffer = LittleEndianWriter()
    var views: [String] = []
    var accessors: [String] = []
    var attributes: [String] = []
    var hasImage = false

    mutating func positions(_ values: ContiguousArray<SIMD3<Float>>, bounds: (least: SIMD3<Float>, most: SIMD3<Float>)?)
    {
      let (least, most) = bounds ?? (.zero, .zero)
      attribute(
        "POSITION", kind: 5126, values.count, "VEC3",
        #","min":[\#(least.x),\#(least.y),\#(least.z)],"max":[\#(most.x),\#(most.y),\#(most.z)]"#
      ) { sink in for value in values { sink.put(value) } }
    }

    mutating func normals(_ values: ContiguousArray<SIMD3<Float>>) {
      attribute("NORMAL", kind: 5126, values.count, "VEC3") { sink in for value in values { sink.put(value) } }
    }

    mutating func coordinates(_ values: ContiguousArray<SIMD2<Float>>) {
      attribute("TEXCOORD_0", kind: 5126, values.count, "VEC2") { sink in
        for value in values {
          sink.put(value.x)
          sink.put(value.y)
        }
      }
    }

    mutating func colors(_ values: ContiguousArray<SIMD3<UInt8>>) {
      attribute("COLOR_0", kind: 5123, values.count, "VEC4", #","normalized":true"#) { sink in
        for color in values {
          for channel in 0..<3 { sink.put(GLBWriter.linear[Int(color[channel])]) }
          sink.put(UInt16.max)
        }
      }
    }

    /// Appends the vertex indices, always the third accessor of the file.
    mutating func corners(_ triangles: ContiguousArray<SIMD3<UInt32>>) {
      view(target: 34963) { sink in
        for corners in triangles {
          sink.put(corners.x)
          sink.put(corners.y)
          sink.put(corners.z)
        }
      }
      accessors.append(accessor(5125, triangles.count * 3, "SCALAR"))
    }

    mutating func image(_ jpeg: ContiguousArray<UInt8>) {
      view(target: nil) { $0.put(jpeg) }
      hasImage = true
    }

    private mutating func attribute(
      _ name: String, kind: Int, _ count: Int, _ shape: String, _ more: String = "",
      _ write: (inout LittleEndianWriter) -> Void
    ) {
      view(target: 34962, write)
      attributes.append(#""\#(name)":\#(accessors.count)"#)
      accessors.append(accessor(kind, count, shape, more))
    }

    private mutating func view(target: Int?, _ write: (inout LittleEndianWriter) -> Void) {
      let offset = buffer.bytes.count
      write(&buffer)
      let use = target.map { #","target":\#($0)"# } ?? ""
      views.append(#"{"buffer":0,"byteOffset":\#(offset),"byteLength":\#(buffer.bytes.count - offset)\#(use)}"#)
    }

    /// Returns an accessor for the last view.
    private func accessor(_ kind: Int, _ count: Int, _ shape: String, _ more: String = "") -> String {
      #"{"bufferView":\#(views.count - 1),"componentType":\#(kind),"count":\#(count),"type":"\#(shape)"\#(more)}"#
    }
  }

  /// sRGB to linear light (IEC 61966-2-1), as glTF requires for vertex colors, in 1/65535.
  private static let linear: ContiguousArray<UInt16> = ContiguousArray(
    (0..<256).map { code in
      let value = Double(code) / 255
      guard value > 0.04045 else { return UInt16((value / 12.92 * 65535).rounded()) }
      return UInt16((Double.pow((value + 0.055) / 1.055, 2.4) * 65535).rounded())
    })

  private static func description(of parts: Parts, bufferLength: Int) -> String {
    let image = parts.hasImage ? #""baseColorTexture":{"index":0},"# : ""
    let material =
      #"{"pbrMetallicRoughness":{\#(image)"metallicFactor":0,"roughnessFactor":0.9},"doubleSided":true}"#
    let textures =
      parts.hasImage
      ? #""images":[{"bufferView":\#(parts.views.count - 1),"mimeType":"image/jpeg"}],"#
        + #""samplers":[{"magFilter":9729,"minFilter":9987,"wrapS":33071,"wrapT":33071}],"#
        + #""textures":[{"source":0,"sampler":0}],"# : ""
    return #"{"asset":{"version":"2.0","generator":"mien"},"scene":0,"scenes":[{"nodes":[0]}],"#
      + #""nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{\#(parts.attributes.joined(separator: ","))},"#
      + #""indices":2,"material":0}]}],"materials":[\#(material)],\#(textures)"#
      + #""accessors":[\#(parts.accessors.joined(separator: ","))],"#
      + #""bufferViews":[\#(parts.views.joined(separator: ","))],"buffers":[{"byteLength":\#(bufferLength)}]}"#
  }
}
