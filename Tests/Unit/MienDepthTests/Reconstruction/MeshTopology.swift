import MienCore

@testable import MienReconstruction

/// Topological properties of a mesh.
struct MeshTopology {
  /// Edges not used by exactly two triangles, or used by two in the same direction.
  let wrongEdges: Int
  let eulerCharacteristic: Int

  init(_ mesh: SurfaceMesh) {
    var uses: [UInt64: (count: Int, balance: Int)] = [:]
    for corners in mesh.triangles {
      for (a, b) in [(corners.x, corners.y), (corners.y, corners.z), (corners.z, corners.x)] {
        let key = UInt64(min(a, b)) << 32 | UInt64(max(a, b))
        let was = uses[key] ?? (0, 0)
        uses[key] = (was.count + 1, was.balance + (a < b ? 1 : -1))
      }
    }
    wrongEdges = uses.values.reduce(into: 0) { $0 += $1.count == 2 && $1.balance == 0 ? 0 : 1 }
    eulerCharacteristic = mesh.positions.count - uses.count + mesh.triangles.count
  }
}

extension VoxelVolume {
  /// Fills every block within `reach` of the origin with a distance function in meters.
  mutating func fill(reach: Float, _ distance: (SIMD3<Float>) -> Float) throws {
    beginFrame()
    let most = Int32((reach / (8 * voxel)).rounded(.up))
    for z in -most..<most { for y in -most..<most { for x in -most..<most { try touch(x, y, z) } } }
    for block in 0..<blockCount {
      for row in 0..<64 {
        for lane in 0..<8 {
          let at = places[block] &* 8 &+ SIMD3(Int32(lane), Int32(row & 7), Int32(row >> 3))
          let value = distance(SIMD3(Float(at.x), Float(at.y), Float(at.z)) * voxel) / truncation
          rows[block * 64 + row].means[lane] = min(max(value, -1), 1)
          rows[block * 64 + row].weights[lane] = 1
        }
      }
    }
  }
}
