import MienCore
import Testing

@testable import MienScanFormat
@testable import MienReconstruction

@Suite struct `Fusion near the camera` {
  private static let voxel: Float = 0.0625

  /// Fuses a plane 20 cm in front of a camera located at a voxel; all numbers have few bits, so that the voxel is
  /// exactly at the camera's position.
  ///
  /// - Parameter side: 1 to look toward decreasing coordinates, -1 toward increasing ones.
  private func fused(at place: SIMD3<Float>, side: Float) throws -> (volume: VoxelVolume, pose: CameraPose) {
    var volume = try #require(VoxelVolume(voxel: Self.voxel))
    let back = SIMD3<Float>(0.703125, 0.7109375, 0) * side
    let pose = try CameraPose(
      right: SIMD3(-back.y, back.x, 0), up: SIMD3(0, 0, 1), back: back, position: place * Self.voxel)
    let wall = try #require(
      DepthMap(
        width: 64, height: 64, meters: ContiguousArray(repeating: 0.2, count: 64 * 64),
        intrinsics: PinholeIntrinsics(fx: 32, fy: 32, cx: 31.5, cy: 31.5)))
    try volume.fuse(wall, from: pose)
    return (volume, pose)
  }

  @Test(arguments: [([6, 6, 3], 1), ([1, 1, 3], -1)] as [(SIMD3<Float>, Float)])
  func `a camera within a block sees a wall in the same block`(standing: SIMD3<Float>, side: Float) throws {
    let (volume, pose) = try fused(at: standing, side: side)
    let away = -pose.back
    let mesh = try volume.surface()
    #expect(!mesh.triangles.isEmpty)
    #expect(mesh.positions.allSatisfy { abs(dot(away, $0 - pose.position) - 0.2) < 1e-3 })
    // The volume behind the camera was not observed.
    for (block, corner) in volume.places.enumerated() {
      for row in 0..<64 {
        for lane in 0..<8 where volume.rows[block * 64 + row].weights[lane] > 0 {
          let at = corner &* 8 &+ SIMD3(Int32(lane), Int32(row & 7), Int32(row >> 3))
          #expect(dot(away, SIMD3(Float(at.x), Float(at.y), Float(at.z)) * Self.voxel - pose.position) > 0)
        }
      }
    }
  }
}
