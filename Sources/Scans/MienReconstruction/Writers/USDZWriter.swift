internal import MienArchive

/// Writes meshes as USDZ: a ZIP archive without compression that contains one text layer and the texture image, aligned
/// to multiples of 64 bytes (Pixar, "USDZ file format specification" 1.3).
enum USDZWriter {
  static func bytes(of mesh: SurfaceMesh, texture: EncodedTexture?) -> ContiguousArray<UInt8> {
    var files = [(name: "scan.usda", contents: layer(of: mesh, texture: texture?.texture))]
    if let texture { files.append((name: "scan.jpg", contents: texture.jpeg)) }
    var archive = ZIPWriter()
    var bytes = ContiguousArray<UInt8>()
    bytes.reserveCapacity(files.reduce(512) { $0 + $1.contents.count + 512 })
    for (name, contents) in files {
      bytes += archive.add(
        name, checksum: CRC32.of(Array(contents)[...]), packed: contents.count, size: contents.count, alignment: 64)
      bytes += contents
    }
    return bytes + archive.finish()
  }

  private static func layer(of mesh: SurfaceMesh, texture: SurfaceTexture?) -> ContiguousArray<UInt8> {
    var sink = LittleEndianWriter()
    sink.reserve(100 * mesh.positions.count + 30 * mesh.triangles.count)
    sink.put("#usda 1.0\n(\n    defaultPrim = \"Scan\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n")
    sink.put("def Xform \"Scan\" (kind = \"component\")\n{\n    def Mesh \"Surface\" (\n")
    sink.put("        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {\n")
    sink.put("        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = true\n")
    if let (least, most) = mesh.bounds { put(&sink, "float3[] extent", [least, most]) }
    sink.put("        int[] faceVertexCounts = [")
    for index in mesh.triangles.indices { sink.put(index == 0 ? "3" : ",3") }
    sink.put("]\n        int[] faceVertexIndices = [")
    for (index, corners) in mesh.triangles.enumerated() {
      sink.put("\(index == 0 ? "" : ",")\(corners.x),\(corners.y),\(corners.z)")
    }
    sink.put("]\n")
    put(&sink, "point3f[] points", mesh.positions)
    put(&sink, "normal3f[] normals", mesh.normals, #" (interpolation = "vertex")"#)
    if let texture {
      // The layer's v axis starts at the lower edge.
      sink.put("        texCoord2f[] primvars:st = [")
      for (index, place) in texture.coordinates.enumerated() {
        sink.put("\(index == 0 ? "" : ",")(\(place.x),\(1 - place.y))")
      }
      sink.put("] (interpolation = \"faceVarying\")\n        int[] primvars:st:indices = [")
      for (index, corners) in texture.triangles.enumerated() {
        sink.put("\(index == 0 ? "" : ",")\(corners.x),\(corners.y),\(corners.z)")
      }
      sink.put("]\n")
    } else if !mesh.colors.isEmpty {
      let colors = ContiguousArray(mesh.colors.map { SIMD3<Float>($0) / 255 })
      put(&sink, "color3f[] primvars:displayColor", colors, #" (interpolation = "vertex")"#)
    }
    sink.put("        rel material:binding = </Scan/Material>\n    }\n\n")
    sink.put(material(texture != nil ? .texture : mesh.colors.isEmpty ? .plain : .colors))
    sink.put("}\n")
    return sink.bytes
  }

  private static func put(
    _ sink: inout LittleEndianWriter, _ name: String, _ values: ContiguousArray<SIMD3<Float>>, _ more: String = ""
  ) {
    sink.put("        \(name) = [")
    for (index, value) in values.enumerated() {
      sink.put("\(index == 0 ? "" : ",")(\(value.x),\(value.y),\(value.z))")
    }
    sink.put("]\(more)\n")
  }

  /// Source of the surface color.
  private enum Color {
    case plain
    case colors
    case texture
  }

  private static func material(_ color: Color) -> String {
    let source =
      switch color {
      case .plain: "color3f inputs:diffuseColor = (0.8, 0.8, 0.8)"
      case .colors: "color3f inputs:diffuseColor.connect = </Scan/Material/Color.outputs:result>"
      case .texture: "color3f inputs:diffuseColor.connect = </Scan/Material/Picture.outputs:rgb>"
      }
    return """
          def Material "Material"
          {
              token outputs:surface.connect = </Scan/Material/Surface.outputs:surface>

              def Shader "Surface"
              {
                  uniform token info:id = "UsdPreviewSurface"
                  \(source)
                  float inputs:roughness = 0.9
                  float inputs:metallic = 0
                  token outputs:surface
              }

      \(readers(color))    }

      """
  }

  private static func readers(_ color: Color) -> String {
    switch color {
    case .plain: ""
    case .colors:
      """
              def Shader "Color"
              {
                  uniform token info:id = "UsdPrimvarReader_float3"
                  string inputs:varname = "displayColor"
                  float3 outputs:result
              }

      """
    case .texture:
      """
              def Shader "Places"
              {
                  uniform token info:id = "UsdPrimvarReader_float2"
                  string inputs:varname = "st"
                  float2 outputs:result
              }

              def Shader "Picture"
              {
                  uniform token info:id = "UsdUVTexture"
                  asset inputs:file = @scan.jpg@
                  float2 inputs:st.connect = </Scan/Material/Places.outputs:result>
                  token inputs:sourceColorSpace = "sRGB"
                  token inputs:wrapS = "clamp"
                  token inputs:wrapT = "clamp"
                  float3 outputs:rgb
              }

      """
    }
  }
}
