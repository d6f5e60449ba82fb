/// Writes meshes as USDZ: a ZIP archive without compression that holds one text layer, its bytes at a multiple of 64
/// (Pixar, "USDZ file format specification" 1.3).
enum USDZWriter {
  static func bytes(of mesh: SurfaceMesh) -> ContiguousArray<UInt8> {
    StoredArchive.bytes(name: "scan.usda", contents: layer(of: mesh))
  }

  private static func layer(of mesh: SurfaceMesh) -> ContiguousArray<UInt8> {
    var sink = ByteSink()
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
    if !mesh.colours.isEmpty {
      let colours = ContiguousArray(mesh.colours.map { SIMD3<Float>($0) / 255 })
      put(&sink, "color3f[] primvars:displayColor", colours, #" (interpolation = "vertex")"#)
    }
    sink.put("        rel material:binding = </Scan/Material>\n    }\n\n")
    sink.put(material(hasColours: !mesh.colours.isEmpty))
    sink.put("}\n")
    return sink.bytes
  }

  private static func put(
    _ sink: inout ByteSink, _ name: String, _ values: ContiguousArray<SIMD3<Float>>, _ more: String = ""
  ) {
    sink.put("        \(name) = [")
    for (index, value) in values.enumerated() {
      sink.put("\(index == 0 ? "" : ",")(\(value.x),\(value.y),\(value.z))")
    }
    sink.put("]\(more)\n")
  }

  private static func material(hasColours: Bool) -> String {
    let colour =
      hasColours
      ? "color3f inputs:diffuseColor.connect = </Scan/Material/Colour.outputs:result>"
      : "color3f inputs:diffuseColor = (0.8, 0.8, 0.8)"
    let reader = """
              def Shader "Colour"
              {
                  uniform token info:id = "UsdPrimvarReader_float3"
                  string inputs:varname = "displayColor"
                  float3 outputs:result
              }

      """
    return """
          def Material "Material"
          {
              token outputs:surface.connect = </Scan/Material/Surface.outputs:surface>

              def Shader "Surface"
              {
                  uniform token info:id = "UsdPreviewSurface"
                  \(colour)
                  float inputs:roughness = 0.9
                  float inputs:metallic = 0
                  token outputs:surface
              }

      \(hasColours ? reader : "")    }

      """
  }
}
