/// What a device or a recording says it saw. It is a claim: it never mixes with ``FaceObservation``.
///
/// All values are plain and without heap storage, so that reading and judging one allocates nothing.
public struct ClientObservation: Hashable, Sendable {
  /// When the device says it saw this, on the device's own clock.
  public var at: MonotonicInstant
  /// How many faces the device saw; nil when its format does not say.
  public var faceCount: Int?
  /// The face's place in the picture; nil when the source does not say.
  public var box: FaceBox?
  /// nil when the source does not say, or tracked no face.
  public var pose: HeadPose?
  /// nil when the source tracked no face.
  public var blendshapes: Blendshapes?

  public init(at: MonotonicInstant, faceCount: Int?, box: FaceBox?, pose: HeadPose?, blendshapes: Blendshapes?) {
    self.at = at
    self.faceCount = faceCount
    self.box = box
    self.pose = pose
    self.blendshapes = blendshapes
  }

  /// True when the source tracked a face.
  public var hasFace: Bool { faceCount != 0 && (pose != nil || blendshapes != nil) }
}

extension ClientObservation: CustomStringConvertible, CustomReflectable {
  public var description: String { "ClaimedObservation(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
