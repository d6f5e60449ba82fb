public import MienCore

/// What a head turn was judged on; kept so that it can be judged again with other settings.
///
/// The angles are biometric: description and mirror withhold them.
public struct HeadTurnEvidence: Hashable, Sendable {
  /// Yaw in degrees (+ = the subject's left) from the last sample that still faced the camera up to and including the
  /// first beyond P2.
  public let wayOut: [Float]
  /// Yaw in degrees from the sample after that one up to and including the P3 sample.
  public let wayBack: [Float]
  /// Mean signed change of yaw on the way out, degrees per frame; nil without a single step.
  public let meanChangeOut: Float?
  /// Mean signed change of yaw on the way back, its first step from the P2 sample included; nil without a single step.
  public let meanChangeBack: Float?
  /// Degrees travelled the wrong way on each way, retreats within the jitter tolerance left out.
  public let wrongWayOut: Float
  public let wrongWayBack: Float
  /// The larger of the two wrong-way travels as a share of what its phase tolerates; above 1 the movement is wrong.
  public let unsteadiness: Float
  /// The furthest yaw in degrees towards the asked side seen while tracking, signed like a yaw; nil without a face.
  public let peakYaw: Float?
  /// From the begin of tracking to the verdict, or to the last sample so far.
  public let duration: Interval
}

extension HeadTurnEvidence: CustomStringConvertible, CustomReflectable {
  public var description: String { "HeadTurnEvidence(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
