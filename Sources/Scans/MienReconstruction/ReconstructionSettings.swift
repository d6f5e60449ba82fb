internal import MienScanFormat

/// Parameters of a reconstruction.
public struct ReconstructionSettings: Hashable, Sendable {
  /// Edge of a voxel, in meters.
  public var voxel: Float
  /// Truncation distance, in meters; nil for four voxels, but not less than the sensor's noise requires.
  public var truncation: Float?
  /// Filter for depth samples.
  public var filter = DepthFilter()
  /// `true` to refine poses against the surface. Frames without a pose are always registered to it.
  public var refinesPoses = true
  /// `true` to adjust the trajectory so that revisited surfaces coincide (``Reconstructor/closeLoops(while:)``);
  /// requires pose refinement.
  public var closesLoops = true
  /// Parameters of pose refinement; nil for the sensor's defaults.
  public var tracking: TrackingSettings?
  /// Minimum number of frames that must have observed a voxel; fewer in scans with few frames.
  public var leastFrames = 3
  /// Connected components with less than this fraction of the triangles are removed, unless they are longer than
  /// ``longestSmallPiece``.
  public var smallestPiece: Float = 0.01
  /// Minimum length of a small component that is kept, in meters.
  public var longestSmallPiece: Float = 0.1
  /// Maximum number of 4 KiB blocks in the volume.
  public var largestBlockCount = 60_000
  /// Maximum number of triangles before small components are removed: 200 MB with their vertices.
  public var largestTriangleCount = 6_000_000

  /// - Parameter voxel: edge of a voxel in meters; 2 mm by default.
  public init(voxel: Float = 0.002) {
    self.voxel = voxel
  }

  /// Returns the voxel edge for scans from a distance, both in meters: about two pixels of a phone's depth map at that
  /// distance, in whole millimeters, 2…10 mm.
  public static func voxel(forDistance distance: Float) -> Float {
    guard distance.isFinite else { return 0.01 }
    return min(max((distance / 160 * 1000).rounded(), 2), 10) / 1000
  }

  /// Returns the truncation distance for a sensor, in meters.
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
