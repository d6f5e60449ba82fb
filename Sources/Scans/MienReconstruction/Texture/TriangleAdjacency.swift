/// Adjacency of triangles that share an edge.
struct TriangleAdjacency {
  /// Adjacent triangle across each of a triangle's three edges; -1 at a boundary. At an edge of more than two
  /// triangles, they are joined in pairs.
  let across: ContiguousArray<SIMD3<Int32>>

  init(_ mesh: SurfaceMesh) {
    var edges: ContiguousArray<(key: UInt64, side: UInt32)> = []
    edges.reserveCapacity(mesh.triangles.count * 3)
    for (number, corners) in mesh.triangles.enumerated() {
      for edge in 0..<3 {
        let (a, b) = (corners[edge], corners[(edge + 1) % 3])
        edges.append((UInt64(min(a, b)) << 32 | UInt64(max(a, b)), UInt32(number * 3 + edge)))
      }
    }
    edges.sort { ($0.key, $0.side) < ($1.key, $1.side) }
    var across = ContiguousArray<SIMD3<Int32>>(repeating: SIMD3(repeating: -1), count: mesh.triangles.count)
    var place = 0
    while place + 1 < edges.count {
      guard edges[place].key == edges[place + 1].key else {
        place += 1
        continue
      }
      let (one, other) = (Int(edges[place].side), Int(edges[place + 1].side))
      across[one / 3][one % 3] = Int32(other / 3)
      across[other / 3][other % 3] = Int32(one / 3)
      place += 2
    }
    self.across = across
  }
}
