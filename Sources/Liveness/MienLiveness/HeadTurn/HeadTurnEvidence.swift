public import MienCore

/// Evidence on which a head turn was evaluated, stored so that it can be re-evaluated with other settings.
///
/// The angles are biometric data: `description` and `customMirror` withhold them.
public struct HeadTurnEvidence: Hashable, Sendable {
  /// Yaw in degrees (positive toward the subject's left) from the last sample that still faced the camera up to and including the first
  /// one beyond P2.
  public let wayOut: [Float]
  /// Yaw in degrees from the sample after that one up to and including the P3 sample.
  public let wayBack: [Float]
  /// Mean signed change of yaw on the way out, degrees per frame; `nil` without at least one step.
  public let meanChangeOut: Float?
  /// Mean signed change of yaw on the way back, including its first step from the P2 sample; `nil` without at least one step.
  public let meanChangeBack: Float?
  /// Degrees traveled in the wrong direction on each way, excluding retreats within the jitter tolerance.
  public let wrongWayOut: Float
  public let wrongWayBack: Float
  /// Larger of the two wrong-way travels as a fraction of the tolerance of its phase; above 1 the movement is rejected.
  public let unsteadiness: Float
  /// Furthest yaw in degrees toward the requested side during tracking, signed like a yaw; `nil` without a face.
  public let peakYaw: Float?
  /// Time from the start of tracking to the verdict, or to the last sample so far.
  public let duration: Interval
}

extension HeadTurnEvidence: CustomStringConvertible, CustomReflectable {
  public var description: String { "HeadTurnEvidence(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
