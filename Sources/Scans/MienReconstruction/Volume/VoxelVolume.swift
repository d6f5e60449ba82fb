/// Truncated signed distance field on a sparse voxel grid with blocks of 8×8×8 near observed surfaces.
///
/// A voxel stores the mean signed distance to the surface along the viewing rays, in units of ``truncation`` (positive
/// outside, towards the camera; -1…1), and the weight of that mean, after Curless and Levoy, "A volumetric method for
/// building complex models from range images" (1996). Voxel (i, j, k) lies at `voxel * (i, j, k)` in the world.
public struct VoxelVolume: Sendable {
  /// Edge of a voxel, in meters.
  public let voxel: Float
  /// Truncation distance, in meters.
  public let truncation: Float
  /// Maximum number of blocks of 4 KiB.
  public let largestBlockCount: Int

  /// Position of each block, in blocks.
  private(set) var places: ContiguousArray<SIMD3<Int32>> = []
  /// Rows of eight voxels along x, 64 per block: row `64 * block + 8 * z + y`.
  var rows: ContiguousArray<VoxelRow> = []
  private(set) var table = VoxelBlockHashTable()
  /// Number of the last frame that touched each block.
  private var touched: ContiguousArray<Int32> = []
  private(set) var frameNumber: Int32 = 0
  /// Scratch buffers: the frame's map with a border, and the blocks it affects.
  var bordered: ContiguousArray<Float> = []
  var worklist: ContiguousArray<Int32> = []

  /// Number of blocks in use.
  public var blockCount: Int { places.count }
  /// Memory used by the blocks, in bytes.
  public var byteCount: Int { places.count * 4096 }

  /// - Parameters:
  ///   - voxel: edge of a voxel in meters, 0.0005…0.1.
  ///   - truncation: truncation distance in meters, 2 to 50 voxels; four voxels by default.
  ///   - largestBlockCount: maximum number of 4 KiB blocks; 60 000 (240 MB) by default.
  public init?(voxel: Float, truncation: Float? = nil, largestBlockCount: Int = 60_000) {
    guard (0.0005...0.1).contains(voxel), (1...1_000_000).contains(largestBlockCount) else { return nil }
    let band = truncation ?? 4 * voxel
    guard band.isFinite, band >= 2 * voxel, band <= 50 * voxel else { return nil }
    self.voxel = voxel
    self.truncation = band
    self.largestBlockCount = largestBlockCount
  }

  /// Removes all fused data, but retains the storage.
  mutating func clear() {
    places.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
    table = VoxelBlockHashTable()
    frameNumber = 0
  }

  /// Starts a frame with an empty worklist.
  mutating func beginFrame() {
    frameNumber &+= 1
    worklist.removeAll(keepingCapacity: true)
  }

  /// Adds a block to the frame's worklist, creating it if necessary.
  mutating func touch(_ x: Int32, _ y: Int32, _ z: Int32) throws(ReconstructionError) {
    let key = VoxelBlockHashTable.key(x, y, z)
    var block = table.find(key)
    if block < 0 { block = try makeBlock(key, at: SIMD3(x, y, z)) }
    if touched[Int(block)] != frameNumber {
      touched[Int(block)] = frameNumber
      worklist.append(block)
    }
  }

  private mutating func makeBlock(_ key: UInt64, at place: SIMD3<Int32>) throws(ReconstructionError) -> Int32 {
    guard places.count < largestBlockCount else {
      throw ReconstructionError(
        .tooLarge, "the scene needs more than \(largestBlockCount) blocks of voxels: use larger voxels")
    }
    if rows.capacity < largestBlockCount * 64 {
      // Reserves virtual memory that is committed on write; growing by doubling would temporarily hold the blocks
      // twice.
      rows.reserveCapacity(largestBlockCount * 64)
    }
    let block = Int32(places.count)
    places.append(place)
    touched.append(-1)
    rows.append(contentsOf: repeatElement(VoxelRow(), count: 64))
    table.insert(key, block)
    return block
  }

  /// Returns the index of the block at a position, or -1.
  @inline(__always) func block(at place: SIMD3<Int32>) -> Int32 {
    table.find(VoxelBlockHashTable.key(place.x, place.y, place.z))
  }
}

/// Eight voxels in a row along x.
struct VoxelRow: Sendable {
  /// Mean signed distances in units of the truncation, -1…1; 1 for unobserved voxels.
  var means = SIMD8<Float>(repeating: 1)
  /// Weights of the means; 0 for unobserved voxels.
  var weights = SIMD8<Float>.zero
}

extension VoxelVolume: CustomStringConvertible, CustomReflectable {
  public var description: String { "VoxelVolume(\(blockCount) blocks)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
