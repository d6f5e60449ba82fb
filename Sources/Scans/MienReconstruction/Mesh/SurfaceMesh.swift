internal import MienScanFormat

/// Triangle mesh in meters, right-handed, with triangles counterclockwise seen from outside.
public struct SurfaceMesh: Sendable {
  /// Vertex positions, in meters.
  public internal(set) var positions: ContiguousArray<SIMD3<Float>>
  /// Unit normals of the vertices, pointing outward; as many as ``positions``.
  public internal(set) var normals: ContiguousArray<SIMD3<Float>>
  /// Red, green, blue of the vertices (sRGB); empty, or as many as ``positions``.
  public internal(set) var colors: ContiguousArray<SIMD3<UInt8>>
  /// Vertex indices of the triangles.
  public internal(set) var triangles: ContiguousArray<SIMD3<UInt32>>

  /// Creates a mesh without triangles.
  public init() {
    positions = []
    normals = []
    colors = []
    triangles = []
  }

  /// Returns nil if the counts do not match or an index is out of range. Missing normals (`[]`) are computed from the
  /// triangles as area-weighted vertex normals.
  public init?(
    positions: ContiguousArray<SIMD3<Float>>, normals: ContiguousArray<SIMD3<Float>> = [],
    colors: ContiguousArray<SIMD3<UInt8>> = [], triangles: ContiguousArray<SIMD3<UInt32>>
  ) {
    guard normals.isEmpty || normals.count == positions.count, colors.isEmpty || colors.count == positions.count,
      triangles.allSatisfy({ $0.max() < positions.count })
    else { return nil }
    self.positions = positions
    self.normals = normals
    self.colors = colors
    self.triangles = triangles
    if normals.isEmpty { makeNormals() }
  }

  /// Bounding box of the vertices; nil without vertices.
  public var bounds: (least: SIMD3<Float>, most: SIMD3<Float>)? {
    guard let first = positions.first else { return nil }
    var (least, most) = (first, first)
    for position in positions {
      least = pointwiseMin(least, position)
      most = pointwiseMax(most, position)
    }
    return (least, most)
  }

  /// Total area of the triangles, in square meters.
  public var area: Double {
    triangles.reduce(into: 0) { sum, corners in
      let normal = doubleArea(corners)
      sum += Double(dot(normal, normal).squareRoot()) / 2
    }
  }

  /// Returns the normal of a triangle with a length of twice its area.
  func doubleArea(_ corners: SIMD3<UInt32>) -> SIMD3<Float> {
    let a = positions[Int(corners.x)]
    return cross(positions[Int(corners.y)] - a, positions[Int(corners.z)] - a)
  }

  /// Recomputes the normals from the triangles.
  mutating func makeNormals() {
    normals = ContiguousArray(repeating: .zero, count: positions.count)
    for corners in triangles {
      let normal = doubleArea(corners)
      for corner in [corners.x, corners.y, corners.z] { normals[Int(corner)] += normal }
    }
    for index in normals.indices {
      let length = dot(normals[index], normals[index]).squareRoot()
      normals[index] = length > 0 ? normals[index] / length : [0, 1, 0]
    }
  }
}

extension SurfaceMesh: CustomStringConvertible, CustomReflectable {
  public var description: String { "SurfaceMesh(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SurfaceMesh {
  /// Minimum share of the total area that the net oriented area must have to define a front: 0.5 for a hemisphere, 0
  /// for a sphere.
  private static let leastShare: Float = 0.2

  /// Horizontal unit vector that most of the surface faces, towards the scanning person. Nil if the surface faces all
  /// directions, as after a scan from all sides, or upwards.
  public var front: SIMD3<Float>? {
    var (sum, area) = (SIMD3<Float>.zero, Float(0))
    for corners in triangles {
      let (a, b, c) = (
        positions[Int(corners.x)], positions[Int(corners.y)], positions[Int(corners.z)]
      )
      let (u, v) = (b - a, c - a)
      // Twice the area, in the outward direction.
      let outwards = SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
      sum += outwards
      area += (outwards * outwards).sum().squareRoot()
    }
    sum.y = 0
    let length = (sum * sum).sum().squareRoot()
    guard area > 0, length >= Self.leastShare * area else { return nil }
    return sum / length
  }
}

extension SurfaceMesh {
  /// Returns a mesh of a z-up world rotated to y-up, as file formats and viewers expect.
  public func rotatedToYUp() -> SurfaceMesh {
    var mesh = self
    for vertex in mesh.positions.indices {
      let (p, n) = (positions[vertex], normals[vertex])
      mesh.positions[vertex] = SIMD3(p.x, p.z, -p.y)
      mesh.normals[vertex] = SIMD3(n.x, n.z, -n.y)
    }
    return mesh
  }
}

extension SurfaceMesh {
  /// Removes connected components with less than `fraction` of all triangles, and vertices that no triangle uses.
  ///
  /// Components whose bounding box has a diagonal of at least `length` meters are kept: thin parts of an object, such as
  /// the armrests of a chair, are often connected to the rest by nothing that the sensor measures.
  ///
  /// - Returns: the number of triangles removed.
  @discardableResult
  public mutating func dropPieces(under fraction: Float, shorterThan length: Float = .infinity) -> Int {
    var parents = ContiguousArray((0..<UInt32(positions.count)))
    func root(_ vertex: UInt32) -> UInt32 {
      var at = vertex
      while parents[Int(at)] != at {
        parents[Int(at)] = parents[Int(parents[Int(at)])]
        at = parents[Int(at)]
      }
      return at
    }
    for corners in triangles {
      let a = root(corners.x)
      for other in [root(corners.y), root(corners.z)] where other != a { parents[Int(other)] = a }
    }
    var sizes = ContiguousArray<Int32>(repeating: 0, count: positions.count)
    for corners in triangles { sizes[Int(root(corners.x))] += 1 }
    var low = ContiguousArray<SIMD3<Float>>(repeating: SIMD3(repeating: .infinity), count: positions.count)
    var high = ContiguousArray<SIMD3<Float>>(repeating: SIMD3(repeating: -.infinity), count: positions.count)
    for vertex in positions.indices {
      let piece = Int(root(UInt32(vertex)))
      low[piece] = pointwiseMin(low[piece], positions[vertex])
      high[piece] = pointwiseMax(high[piece], positions[vertex])
    }
    let least = Int32(fraction * Float(triangles.count))
    let before = triangles.count
    triangles.removeAll { corners in
      let piece = Int(root(corners.x))
      let diagonal = high[piece] - low[piece]
      return sizes[piece] < least && dot(diagonal, diagonal) < length * length
    }
    dropUnusedVertices()
    return before - triangles.count
  }

  /// Removes vertices that no triangle uses; the others keep their order.
  mutating func dropUnusedVertices() {
    var numbers = ContiguousArray<UInt32>(repeating: .max, count: positions.count)
    for corners in triangles {
      numbers[Int(corners.x)] = 0
      numbers[Int(corners.y)] = 0
      numbers[Int(corners.z)] = 0
    }
    var next = 0
    for vertex in positions.indices where numbers[vertex] == 0 {
      numbers[vertex] = UInt32(next)
      positions[next] = positions[vertex]
      normals[next] = normals[vertex]
      if !colors.isEmpty { colors[next] = colors[vertex] }
      next += 1
    }
    positions.removeLast(positions.count - next)
    normals.removeLast(normals.count - next)
    if !colors.isEmpty { colors.removeLast(colors.count - next) }
    for index in triangles.indices {
      let corners = triangles[index]
      triangles[index] = SIMD3(numbers[Int(corners.x)], numbers[Int(corners.y)], numbers[Int(corners.z)])
    }
  }
}
