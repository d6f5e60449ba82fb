/// What a surface is made with.
public struct ReconstructionSettings: Hashable, Sendable {
  /// Edge of a voxel, in metres.
  public var voxel: Float
  /// Where distances are cut off, in metres; nil: four voxels, and not less than the sensor's noise asks for.
  public var truncation: Float?
  /// Which samples count.
  public var filter = DepthFilter()
  /// Whether poses are refined against the surface. Frames without a pose are placed by it in any case.
  public var refinesPoses = true
  /// Whether the way is bent so that what was seen again lies where it was seen before (``Reconstructor/closeLoops(while:)``);
  /// only where poses are refined.
  public var closesLoops = true
  /// How poses are refined; nil: as suits the sensor.
  public var tracking: TrackingSettings?
  /// How many frames must have seen a voxel for it to count; fewer in scans of a few frames.
  public var leastFrames = 3
  /// Pieces of the surface with less than this fraction of its triangles are left out as specks.
  public var smallestPiece: Float = 0.01
  /// Most blocks of 4 KiB that the volume may have.
  public var largestBlockCount = 60_000
  /// Most triangles that the surface may have, before specks are left out: 200 MB with their vertices.
  public var largestTriangleCount = 6_000_000

  /// - Parameter voxel: edge of a voxel in metres; 2 mm unless told.
  public init(voxel: Float = 0.002) {
    self.voxel = voxel
  }

  /// The edge of a voxel that suits scans from a distance, both in metres: about what two pixels of a phone's depth
  /// map cover there, in whole millimetres, 2…10 mm.
  public static func voxel(forDistance distance: Float) -> Float {
    guard distance.isFinite else { return 0.01 }
    return min(max((distance / 160 * 1000).rounded(), 2), 10) / 1000
  }

  /// Where distances are cut off for a sensor, in metres.
  func truncation(for sensor: ScanSensor) -> Float {
    if let truncation { return truncation }
    let noise: Float =
      switch sensor {
      case .lidar: 0.012
      case .trueDepth: 0.004
      case .depthCamera, .unknown: 0.01
      }
    return min(max(4 * voxel, noise), 50 * voxel)
  }
}
