public import MienImaging

/// What is remembered of a session between two frames: a value of a few hundred bytes.
public struct FaceTrackState: Sendable {
  /// Where to look for the face in the next frame, in pixels; nil when there is none to follow.
  public internal(set) var square: RotatedRect?
  /// How many faces there were when the detector last ran.
  public internal(set) var faceCount = 0
  /// Frames since the detector last ran.
  public internal(set) var framesSinceDetection = 0
  /// Size of the frame that `square` belongs to.
  var frameSize = SIMD2<Int>(0, 0)
  var smoother: FaceSmoother?

  /// Nothing seen yet.
  public init() {}
}

extension FaceTrackState: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceTrack(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
