internal import MienScanFormat

import MienCore

/// Inner loop of fusion: integrates one depth map into the voxels of the affected blocks, eight voxels at a time.
struct FusionKernel {
  private let width: Float
  private let height: Float
  private let camera: PinholeIntrinsics
  private let position: SIMD3<Float>
  /// Change in camera coordinates for a step along each world axis: horizontally and vertically times the focal
  /// lengths, and along the viewing axis.
  private let across: SIMD3<Float>
  private let down: SIMD3<Float>
  private let away: SIMD3<Float>
  private let voxel: Float
  private let perBand: Float
  private let weight: Float

  init(_ map: DepthMap, from pose: CameraPose, voxel: Float, truncation: Float, weight: Float) {
    width = Float(map.width)
    height = Float(map.height)
    camera = map.intrinsics
    position = pose.position
    across = pose.right * camera.fx
    down = pose.up * -camera.fy
    away = -pose.back
    self.voxel = voxel
    perBand = 1 / truncation
    self.weight = weight
  }

  /// - Parameters:
  ///   - worklist: indices of the blocks to update.
  ///   - places: positions of all blocks.
  ///   - bordered: depth map with a border of one sample without measurement.
  ///   - rows: voxels of all blocks.
  func run(
    over worklist: ContiguousArray<Int32>, at places: ContiguousArray<SIMD3<Int32>>,
    seeing bordered: ContiguousArray<Float>, into rows: inout ContiguousArray<VoxelRow>
  ) {
    let depth = bordered.span
    var rows = rows.mutableSpan
    // Minimum and maximum distance of a block's other voxels relative to its first one.
    let reach = 7 * voxel
    let nearest = dot(pointwiseMin(away, .zero), SIMD3(repeating: reach))
    let farthest = dot(pointwiseMax(away, .zero), SIMD3(repeating: reach))
    for block in worklist {
      let place = places[Int(block)]
      let corner = SIMD3(Float(place.x), Float(place.y), Float(place.z)) * (8 * voxel) - position
      let distance = dot(away, corner)
      guard distance + farthest > voxel / 2 else { continue }
      // Most blocks are entirely in front of the camera; the others contain voxels behind it.
      if distance + nearest > voxel / 2 {
        update(Int(block) * 64, corner, depth, &rows, reachesBehind: false)
      } else {
        update(Int(block) * 64, corner, depth, &rows, reachesBehind: true)
      }
    }
  }

  @inline(__always)
  private func update(
    _ first: Int, _ corner: SIMD3<Float>, _ depth: borrowing Span<Float>, _ rows: inout MutableSpan<VoxelRow>,
    reachesBehind: Bool
  ) {
    // Adding and subtracting 1.5 · 2^23 rounds to an integer; adding 2^23 moves it to the low bits.
    let roundingBias: Float = 12_582_912
    let mantissaBias: Float = 8_388_608
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let (stepU, stepV, stepZ) = (lanes * (across.x * voxel), lanes * (down.x * voxel), lanes * (away.x * voxel))
    let (rightmost, lowest) = (SIMD8<Float>(repeating: width + 1), SIMD8<Float>(repeating: height + 1))
    let (cornerU, cornerV, cornerZ) = (dot(across, corner), dot(down, corner), dot(away, corner))
    let pitch = width + 2
    for row in 0..<64 {
      let (y, z) = (Float(row & 7) * voxel, Float(row >> 3) * voxel)
      let distance = stepZ + (cornerZ + y * away.y + z * away.z)
      let inverse = 1 / distance
      let u = (stepU + (cornerU + y * across.y + z * across.z)) * inverse + (camera.cx + 1)
      let v = (stepV + (cornerV + y * down.y + z * down.z)) * inverse + (camera.cy + 1)
      let column = (Self.clamp(u, rightmost) + roundingBias) - roundingBias
      let line = (Self.clamp(v, lowest) + roundingBias) - roundingBias
      let index = line * pitch + column + mantissaBias
      let seen = SIMD8<Float>(
        depth[Int(index[0].bitPattern & 0x7F_FFFF)], depth[Int(index[1].bitPattern & 0x7F_FFFF)],
        depth[Int(index[2].bitPattern & 0x7F_FFFF)], depth[Int(index[3].bitPattern & 0x7F_FFFF)],
        depth[Int(index[4].bitPattern & 0x7F_FFFF)], depth[Int(index[5].bitPattern & 0x7F_FFFF)],
        depth[Int(index[6].bitPattern & 0x7F_FFFF)], depth[Int(index[7].bitPattern & 0x7F_FFFF)])
      let signed = (seen - distance) * perBand
      var known = (seen .> 0) .& (signed .>= -1)
      if reachesBehind { known = known .& (distance .> voxel / 2) }
      let cut = signed.replacing(with: 1, where: signed .> 1)
      let old = rows[first + row]
      let sum = old.weights + weight
      let mean = old.means + (cut - old.means) * weight / sum
      rows[first + row].means.replace(with: mean, where: known)
      rows[first + row].weights.replace(with: sum, where: known)
    }
  }

  /// Clamps `value` to 0…`most`, mapping NaN to 0: a voxel at the camera position has no pixel, and its index must be
  /// in bounds. The standard library's clamping is not inlined.
  @inline(__always)
  private static func clamp(_ value: SIMD8<Float>, _ most: SIMD8<Float>) -> SIMD8<Float> {
    let positive = SIMD8<Float>.zero.replacing(with: value, where: value .> 0)
    return positive.replacing(with: most, where: positive .> most)
  }
}
