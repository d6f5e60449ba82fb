public import MienImaging

/// The tracking state of a session between two frames: a value of a few hundred bytes.
public struct FaceTrackState: Sendable {
  /// Region in which to search for the face in the next frame, in pixels; `nil` if no face is tracked.
  public internal(set) var square: RotatedRect?
  /// Number of faces when the detector last ran.
  public internal(set) var faceCount = 0
  /// Number of frames since the detector last ran.
  public internal(set) var framesSinceDetection = 0
  /// Size of the frame that `square` refers to.
  var frameSize = SIMD2<Int>(0, 0)
  var smoother: FaceSmoother?

  /// Creates the initial state, without a face.
  public init() {}
}

extension FaceTrackState: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceTrackState(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
