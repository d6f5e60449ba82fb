/// A truncated signed distance field on a sparse grid of voxels: blocks of 8×8×8, only where a surface was seen.
///
/// A voxel holds the mean signed distance to the surface along the viewing rays, in units of ``truncation`` (positive
/// outside, towards the camera; -1…1), and the weight of that mean, after Curless and Levoy, "A volumetric method for
/// building complex models from range images" (1996). Voxel (i, j, k) lies at `voxel * (i, j, k)` in the world.
public struct VoxelVolume: Sendable {
  /// Edge of a voxel, in metres.
  public let voxel: Float
  /// Distances beyond this are cut off, in metres.
  public let truncation: Float
  /// Most blocks the volume may have; a block takes 4 KiB.
  public let largestBlockCount: Int

  /// Where each block is, in blocks.
  private(set) var places: ContiguousArray<SIMD3<Int32>> = []
  /// Rows of eight voxels along x, 64 a block: row `64 * block + 8 * z + y`.
  var rows: ContiguousArray<VoxelRow> = []
  private(set) var table = VoxelBlockHashTable()
  /// The number of the frame that touched a block last.
  private var touched: ContiguousArray<Int32> = []
  private(set) var frameNumber: Int32 = 0
  /// Scratch: the frame's map with a border, and the blocks it touches.
  var bordered: ContiguousArray<Float> = []
  var worklist: ContiguousArray<Int32> = []

  /// Blocks in use.
  public var blockCount: Int { places.count }
  /// What the blocks take, in bytes.
  public var byteCount: Int { places.count * 4096 }

  /// - Parameters:
  ///   - voxel: edge of a voxel in metres, 0.0005…0.1.
  ///   - truncation: in metres; four voxels unless told, never under two.
  ///   - largestBlockCount: blocks of 4 KiB; 60 000 (240 MB) unless told.
  public init?(voxel: Float, truncation: Float? = nil, largestBlockCount: Int = 60_000) {
    guard (0.0005...0.1).contains(voxel), (1...1_000_000).contains(largestBlockCount) else { return nil }
    let band = truncation ?? 4 * voxel
    guard band.isFinite, band >= 2 * voxel, band <= 50 * voxel else { return nil }
    self.voxel = voxel
    self.truncation = band
    self.largestBlockCount = largestBlockCount
  }

  /// Forgets everything that was fused, and keeps the storage.
  mutating func clear() {
    places.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
    table = VoxelBlockHashTable()
    frameNumber = 0
  }

  /// Starts a frame: blocks touched from now on are new in the worklist.
  mutating func beginFrame() {
    frameNumber &+= 1
    worklist.removeAll(keepingCapacity: true)
  }

  /// Puts a block onto the frame's worklist, and makes it when it is new.
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
      // Virtual until written: growing by doubling would hold the blocks twice.
      rows.reserveCapacity(largestBlockCount * 64)
    }
    let block = Int32(places.count)
    places.append(place)
    touched.append(-1)
    rows.append(contentsOf: repeatElement(VoxelRow(), count: 64))
    table.insert(key, block)
    return block
  }

  /// The number of the block at a place, or -1.
  @inline(__always) func block(at place: SIMD3<Int32>) -> Int32 {
    table.find(VoxelBlockHashTable.key(place.x, place.y, place.z))
  }
}

/// Eight voxels in a row along x.
struct VoxelRow: Sendable {
  /// Mean signed distances in units of the truncation, -1…1; 1 where nothing was seen.
  var means = SIMD8<Float>(repeating: 1)
  /// What the means weigh; 0 where nothing was seen.
  var weights = SIMD8<Float>.zero
}

extension VoxelVolume: CustomStringConvertible, CustomReflectable {
  public var description: String { "VoxelVolume(\(blockCount) blocks)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
