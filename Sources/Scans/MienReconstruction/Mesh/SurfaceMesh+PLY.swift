extension SurfaceMesh {
  /// Reads a mesh from binary little-endian PLY with float and byte vertex properties and triangular faces, as written
  /// by ``MeshFormat/ply``; returns nil for anything else and for truncated data.
  public init?(ply bytes: ContiguousArray<UInt8>) {
    guard let head = PLYHeader(bytes) else { return nil }
    var positions: ContiguousArray<SIMD3<Float>> = []
    var normals: ContiguousArray<SIMD3<Float>> = []
    var colors: ContiguousArray<SIMD3<UInt8>> = []
    guard let x = head.offset(of: "x", "y", "z") else { return nil }
    let (normal, color) = (head.offset(of: "nx", "ny", "nz"), head.offset(of: "red", "green", "blue"))
    guard head.vertices <= (bytes.count - head.length) / head.stride else { return nil }
    for vertex in 0..<head.vertices {
      let at = head.length + vertex * head.stride
      positions.append(head.vector(at + x))
      if let normal { normals.append(head.vector(at + normal)) }
      if let color { colors.append(SIMD3(bytes[at + color], bytes[at + color + 1], bytes[at + color + 2])) }
    }
    var at = head.length + head.vertices * head.stride
    guard head.faces <= (bytes.count - at) / 13 else { return nil }
    var triangles: ContiguousArray<SIMD3<UInt32>> = []
    for _ in 0..<head.faces {
      guard bytes[at] == 3 else { return nil }
      triangles.append(SIMD3(head.number(at + 1), head.number(at + 5), head.number(at + 9)))
      at += 13
    }
    let isFinite = positions.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }
    guard isFinite else { return nil }
    self.init(positions: positions, normals: normals, colors: colors, triangles: triangles)
  }
}

/// Header of a PLY file.
private struct PLYHeader {
  private let bytes: ContiguousArray<UInt8>
  private(set) var length = 0
  private(set) var vertices = 0
  private(set) var faces = 0
  private(set) var stride = 0
  private var offsets: [String: Int] = [:]

  init?(_ bytes: ContiguousArray<UInt8>) {
    self.bytes = bytes
    var isVertex = false
    var isDone = false
    var lines = 0
    while !isDone, lines < 64 {
      guard let end = bytes[length...].prefix(200).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      let words = String(decoding: bytes[length..<end], as: UTF8.self).split(separator: " ")
      length = end + 1
      lines += 1
      if lines == 1 {
        guard words == ["ply"] else { return nil }
        continue
      }
      switch words.first {
      case "format": guard words.count == 3, words[1] == "binary_little_endian" else { return nil }
      case "element":
        guard words.count == 3, let count = Int(words[2]), (0...100_000_000).contains(count) else { return nil }
        isVertex = words[1] == "vertex"
        if isVertex { vertices = count } else if words[1] == "face" { faces = count } else { return nil }
      case "property":
        if isVertex {
          guard words.count == 3, words[1] == "float" || words[1] == "uchar" else { return nil }
          offsets[String(words[2])] = stride
          stride += words[1] == "float" ? 4 : 1
        } else {
          guard words.count == 5, words[1] == "list", words[2] == "uchar", words[3] == "uint" || words[3] == "int"
          else { return nil }
        }
      case "comment": continue
      case "end_header": isDone = true
      default: return nil
      }
    }
    guard isDone, stride > 0 else { return nil }
  }

  /// Returns the offset of three properties in a vertex if they are contiguous.
  func offset(of a: String, _ b: String, _ c: String) -> Int? {
    guard let first = offsets[a], let second = offsets[b], let third = offsets[c], second - first == third - second,
      second > first
    else { return nil }
    return first
  }

  func number(_ at: Int) -> UInt32 {
    UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24
  }

  func vector(_ at: Int) -> SIMD3<Float> {
    SIMD3(Float(bitPattern: number(at)), Float(bitPattern: number(at + 4)), Float(bitPattern: number(at + 8)))
  }
}
