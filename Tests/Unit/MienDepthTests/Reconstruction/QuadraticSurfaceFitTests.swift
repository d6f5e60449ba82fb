import MienCore
import Testing

@testable import MienScanFormat
@testable import MienReconstruction

@Suite struct `Surface extraction from voxels` {
  private func length(_ v: SIMD3<Float>) -> Float { dot(v, v).squareRoot() }

  @Test func `a sphere across many blocks is closed, oriented outward and of the right size`() throws {
    var volume = try #require(VoxelVolume(voxel: 0.01))
    let center = SIMD3<Float>(0.013, -0.006, 0.004)
    try volume.fill(reach: 0.16) { length($0 - center) - 0.123 }
    let mesh = try volume.surface()
    let topology = MeshTopology(mesh)
    #expect(topology.wrongEdges == 0)
    #expect(topology.eulerCharacteristic == 2)
    #expect(mesh.positions.allSatisfy { abs(length($0 - center) - 0.123) < 0.0005 })
    for (position, normal) in zip(mesh.positions, mesh.normals) {
      #expect(dot(normal, (position - center) / length(position - center)) > 0.98)
    }
    #expect(mesh.triangles.allSatisfy { dot(mesh.doubleArea($0), mesh.positions[Int($0.x)] - center) >= 0 })
    #expect(abs(mesh.area - 4 * Double.pi * 0.123 * 0.123) < 0.002)
  }

  @Test func `a ring has a hole and two spheres are two components`() throws {
    var ring = try #require(VoxelVolume(voxel: 0.01))
    try ring.fill(reach: 0.16) { p in
      let away = (p.x * p.x + p.y * p.y).squareRoot() - 0.1
      return (away * away + p.z * p.z).squareRoot() - 0.031
    }
    #expect(try MeshTopology(ring.surface()).eulerCharacteristic == 0)

    var balls = try #require(VoxelVolume(voxel: 0.01))
    try balls.fill(reach: 0.16) { p in min(length(p - [0.08, 0, 0]) - 0.05, length(p + [0.08, 0, 0]) - 0.02) }
    var mesh = try balls.surface()
    #expect(MeshTopology(mesh).eulerCharacteristic == 4)
    let whole = mesh.triangles.count
    // The small sphere's bounding box has a diagonal of 69 mm.
    #expect(mesh.dropPieces(under: 0.3, shorterThan: 0.06) == 0 && mesh.triangles.count == whole)
    #expect(mesh.dropPieces(under: 0.3, shorterThan: 0.08) > 0)
    #expect(mesh.triangles.count < whole)
    #expect(MeshTopology(mesh).eulerCharacteristic == 2)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `random signs give a surface without cracks`(seed: UInt64) throws {
    var volume = try #require(VoxelVolume(voxel: 0.01))
    var generator = SmoothNoise(seed: seed, width: 1, height: 1)
    // Random values inside, positive values at the border: every ambiguous cube occurs many times.
    try volume.fill(reach: 0.08) { p in
      max(abs(p.x), abs(p.y), abs(p.z)) > 0.065 ? 0.01 : Float.random(in: -0.02...0.02, using: &generator)
    }
    let mesh = try volume.surface()
    #expect(mesh.triangles.count > 1000)
    #expect(MeshTopology(mesh).wrongEdges == 0)
  }

  @Test func `the surface ends at unknown voxels`() throws {
    var volume = try #require(VoxelVolume(voxel: 0.01))
    try volume.fill(reach: 0.08) { $0.z - 0.0031 }
    for block in 0..<volume.blockCount where volume.places[block].x >= 0 {
      for row in 0..<64 { volume.rows[block * 64 + row].weights = .zero }
    }
    let mesh = try volume.surface()
    let bounds = try #require(mesh.bounds)
    #expect(bounds.least.x == -0.08)
    #expect(bounds.most.x == -0.01)
    #expect(mesh.normals.allSatisfy { $0.z > 0.999 })
    #expect(mesh.positions.allSatisfy { abs($0.z - 0.0031) < 1e-5 })
  }

  @Test func `a full volume reports it and keeps its contents`() throws {
    var volume = try #require(VoxelVolume(voxel: 0.002, largestBlockCount: 5))
    let camera = PinholeIntrinsics(fx: 60, fy: 60, cx: 31.5, cy: 23.5)
    let wall = try #require(
      DepthMap(width: 64, height: 48, meters: ContiguousArray(repeating: 0.5, count: 64 * 48), intrinsics: camera))
    let error = #expect(throws: ReconstructionError.self) { try volume.fuse(wall, from: .identity) }
    #expect(error?.code == .tooLarge)
    #expect(volume.blockCount == 5)
  }

  @Test func `a surface with too many triangles is rejected and a canceled one stops`() throws {
    var volume = try #require(VoxelVolume(voxel: 0.01))
    try volume.fill(reach: 0.16) { length($0) - 0.123 }
    let whole = try volume.surface().triangles.count
    #expect(try volume.surface(largestTriangleCount: whole).triangles.count == whole)
    let error = #expect(throws: ReconstructionError.self) { try volume.surface(largestTriangleCount: whole - 1) }
    #expect(error?.code == .tooLarge)
    var asked = 0
    let part = try volume.surface {
      asked += 1
      return asked < volume.blockCount / 2
    }
    #expect(asked == volume.blockCount / 2 && part.triangles.count < whole)
  }

  @Test(arguments: [0, -1, 0.0001, 0.2, .nan, .infinity] as [Float])
  func `out-of-range voxels are rejected`(voxel: Float) {
    #expect(VoxelVolume(voxel: voxel) == nil)
  }
}
