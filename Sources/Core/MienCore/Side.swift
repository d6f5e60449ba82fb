/// A side of the subject, never of the image.
///
/// As in ARKit and ISO/IEC 29794-5, left is the subject's own left, which appears on the right of an unmirrored image.
public enum Side: String, Hashable, Sendable, CaseIterable {
  case subjectLeft = "subject-left"
  case subjectRight = "subject-right"

  public var opposite: Side { self == .subjectLeft ? .subjectRight : .subjectLeft }

  /// +1 for the subject's left, −1 for the right: the sign of a yaw toward this side (see ``HeadPose``).
  public var yawSign: Float { self == .subjectLeft ? 1 : -1 }
}
