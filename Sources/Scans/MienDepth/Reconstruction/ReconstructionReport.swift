/// How a surface came about, in numbers that a person can judge it by.
public struct ReconstructionReport: Hashable, Sendable {
  /// Frames that were fused.
  public internal(set) var framesFused = 0
  /// Frames in which nothing was left to measure.
  public internal(set) var framesEmpty = 0
  /// Frames that could not be placed and were left out.
  public internal(set) var framesLost = 0
  /// Frames whose pose was refined or found.
  public internal(set) var framesPlaced = 0
  /// Mean over the placed frames of the points' root mean square distance to the surface, before and after, in
  /// metres; nil when no frame was placed.
  public internal(set) var residualBefore: Float?
  public internal(set) var residual: Float?
  /// The largest change to a given pose, in metres and radians.
  public internal(set) var largestShift: Float = 0
  public internal(set) var largestTurn: Float = 0
  /// Places that were seen again after a way around, and how far the way was bent for it at most, in metres.
  public internal(set) var loopsClosed = 0
  public internal(set) var largestBend: Float = 0
  /// How far the end of the camera's way is off its beginning, in metres: what laying the last map onto the first one
  /// takes away from the points' root mean square distance; nil when the two do not see the same. Only what the
  /// surface shows counts: a slip along a flat wall is not seen.
  public internal(set) var drift: Float?
  /// Blocks of voxels used.
  public internal(set) var blocks = 0
}
