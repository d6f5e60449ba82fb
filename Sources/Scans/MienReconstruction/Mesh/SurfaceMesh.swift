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
