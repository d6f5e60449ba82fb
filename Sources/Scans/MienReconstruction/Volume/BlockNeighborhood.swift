/// Distances in a voxel block and in the adjacent voxels, one before and two after in each axis, copied for access
/// without block lookups.
struct BlockNeighborhood {
  /// 11×11×11 distances in units of the truncation, x fastest; ``unknown`` for unobserved voxels.
  private(set) var values = ContiguousArray<Float>(repeating: Self.unknown, count: 11 * 11 * 11)

  /// Marker for an unknown distance; known distances are within ±1.
  static let unknown: Float = 2
  /// Index increments in ``values`` for a step along x, y and z.
  static let steps = SIMD3<Int>(1, 11, 121)

  /// Returns the index of a voxel in ``values``; coordinates are relative to the block's first voxel, -1…9.
  @inline(__always) static func index(_ x: Int, _ y: Int, _ z: Int) -> Int { ((z + 1) * 11 + y + 1) * 11 + x + 1 }

  mutating func read(_ block: Int, of volume: VoxelVolume, leastWeight: Float) {
    let place = volume.places[block]
    let rows = volume.rows.span
    var values = self.values.mutableSpan
    for bz in -1...1 {
      for by in -1...1 {
        let beside = place &+ SIMD3(0, Int32(by), Int32(bz))
        let left = Int(volume.block(at: beside &- SIMD3(1, 0, 0)))
        let middle = Int(volume.block(at: beside))
        let right = Int(volume.block(at: beside &+ SIMD3(1, 0, 0)))
        for z in Self.extent(bz) {
          for y in Self.extent(by) {
            let row = (z & 7) * 8 + (y & 7)
            let at = Self.index(0, y, z)
            values[at - 1] = left < 0 ? Self.unknown : rows[left * 64 + row].known(leastWeight)[7]
            let own =
              middle < 0 ? SIMD8(repeating: Self.unknown) : rows[middle * 64 + row].known(leastWeight)
            for lane in 0..<8 { values[at + lane] = own[lane] }
            let next = right < 0 ? SIMD8(repeating: Self.unknown) : rows[right * 64 + row].known(leastWeight)
            values[at + 8] = next[0]
            values[at + 9] = next[1]
          }
        }
      }
    }
  }

  /// Returns the range of the block's coordinates that lie in the block `step` away.
  private static func extent(_ step: Int) -> Range<Int> {
    switch step {
    case -1: -1..<0
    case 0: 0..<8
    default: 8..<10
    }
  }

  /// Returns the gradient of the distance at a voxel, per voxel: the mean of the differences to known neighbors.
  @inline(__always) func gradient(_ at: Int) -> SIMD3<Float> {
    SIMD3(slope(at, 1), slope(at, 11), slope(at, 121))
  }

  @inline(__always) private func slope(_ at: Int, _ step: Int) -> Float {
    let (down, here, up) = (values[at - step], values[at], values[at + step])
    return switch (down < Self.unknown, up < Self.unknown) {
    case (true, true): (up - down) / 2
    case (true, false): here - down
    case (false, true): up - here
    case (false, false): 0
    }
  }
}

extension VoxelRow {
  /// Returns the means, or ``BlockNeighborhood/unknown`` where the weight is less than `leastWeight`.
  @inline(__always) func known(_ leastWeight: Float) -> SIMD8<Float> {
    means.replacing(with: BlockNeighborhood.unknown, where: weights .< leastWeight)
  }
}
