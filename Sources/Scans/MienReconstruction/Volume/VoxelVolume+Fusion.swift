public import MienScanFormat

import MienCore

extension VoxelVolume {
  /// Fuses one depth map into the volume.
  ///
  /// Updates the blocks within ``truncation`` of the map's samples: every voxel is projected into the map, and its mean
  /// moves towards the distance between the sample there and the voxel.
  ///
  /// - Parameters:
  ///   - map: depths and intrinsics.
  ///   - pose: the camera's pose in the volume.
  ///   - weight: weight of the map; 1 for an ordinary map.
  /// - Throws: ``ReconstructionError`` with code `tooLarge` if the volume is full; the data fused before is unaffected.
  public mutating func fuse(
    _ map: DepthMap, from pose: CameraPose, weight: Float = 1
  ) throws(ReconstructionError) {
    beginFrame()
    try touchBlocks(of: map, from: pose)
    border(map)
    FusionKernel(map, from: pose, voxel: voxel, truncation: truncation, weight: weight)
      .run(over: worklist, at: places, seeing: bordered, into: &rows)
  }

  private mutating func touchBlocks(of map: DepthMap, from pose: CameraPose) throws(ReconstructionError) {
    let camera = map.intrinsics
    let (width, height) = (map.width, map.height)
    let perBlock = 1 / (8 * voxel)
    // Adjacent samples must not be farther apart than a third of a block.
    var farthest: Float = 0
    for distance in map.meters { farthest = distance > farthest ? distance : farthest }
    guard farthest > 0 else { return }
    let pitch = farthest / min(camera.fx, camera.fy)
    let stride = max(1, Int(min(8 * voxel / 3 / pitch, 8)))
    let origin = pose.position * perBlock
    let band = truncation * perBlock
    var last = (Int32.max, Int32.max, Int32.max)
    for y in Swift.stride(from: 0, to: height, by: stride) {
      let down = (camera.cy - Float(y)) / camera.fy
      for x in Swift.stride(from: 0, to: width, by: stride) {
        let distance = map.meters[y * width + x]
        guard distance > 0 else { continue }
        let across = (Float(x) - camera.cx) / camera.fx
        let ray = pose.right * across + pose.up * down - pose.back
        let center = origin + ray * (distance * perBlock)
        for step in -1...1 {
          let sample = center + ray * (Float(step) * band)
          guard let i = Self.cell(sample.x), let j = Self.cell(sample.y), let k = Self.cell(sample.z) else { continue }
          if (i, j, k) != last {
            try touch(i, j, k)
            last = (i, j, k)
          }
        }
      }
    }
  }

  /// Returns the integer part (rounded down) of `value`; nil beyond the range of the table.
  @inline(__always) static func cell(_ value: Float) -> Int32? {
    let reach = Double(VoxelBlockHashTable.reach - 2)
    let shifted = Double(value) + reach
    // Truncation of positive values rounds down, without a call into the C library.
    return shifted > 0 && shifted < 2 * reach ? Int32(shifted) - (VoxelBlockHashTable.reach - 2) : nil
  }

  /// Copies the map into the scratch buffer with a border without measurements, so that no voxel projects out of
  /// bounds.
  private mutating func border(_ map: DepthMap) {
    let (width, height) = (map.width, map.height)
    let area = (width + 2) * (height + 2)
    if bordered.count != area { bordered = ContiguousArray(repeating: 0, count: area) }
    for x in 0..<(width + 2) {
      bordered[x] = 0
      bordered[(height + 1) * (width + 2) + x] = 0
    }
    var target = bordered.mutableSpan
    let source = map.meters.span
    for y in 0..<height {
      let row = (y + 1) * (width + 2)
      target[row] = 0
      target[row + width + 1] = 0
      for x in 0..<width { target[row + 1 + x] = source[y * width + x] }
    }
  }
}
