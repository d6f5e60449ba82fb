/// Statistics of a reconstruction, for assessing its quality.
public struct ReconstructionReport: Hashable, Sendable {
  /// Number of fused frames.
  public internal(set) var framesFused = 0
  /// Number of frames without any sample after filtering.
  public internal(set) var framesEmpty = 0
  /// Number of frames that could not be registered and were skipped.
  public internal(set) var framesLost = 0
  /// Number of frames whose pose was refined or estimated.
  public internal(set) var framesPlaced = 0
  /// Mean over the registered frames of the points' root mean square distance to the surface, before and after
  /// registration, in meters; nil if no frame was registered.
  public internal(set) var residualBefore: Float?
  public internal(set) var residual: Float?
  /// Largest correction of a device pose, in meters and radians.
  public internal(set) var largestShift: Float = 0
  public internal(set) var largestTurn: Float = 0
  /// Number of closed loops, and the largest resulting correction of the trajectory, in meters.
  public internal(set) var loopsClosed = 0
  public internal(set) var largestBend: Float = 0
  /// Drift of the camera's trajectory, in meters: the decrease in the points' root mean square distance when the last
  /// map is registered to the first one; nil if the two do not overlap. Includes only motion that the surface
  /// constrains: sliding along a flat surface is not detected.
  public internal(set) var drift: Float?
  /// Number of voxel blocks used.
  public internal(set) var blocks = 0
}
