/// A side of the person in front of the camera, never of the picture.
///
/// ARKit and ISO/IEC 29794-5 agree: left is the subject's own left, which an unmirrored picture shows on its right.
public enum Side: String, Hashable, Sendable, CaseIterable {
  case subjectLeft = "subject-left"
  case subjectRight = "subject-right"

  public var opposite: Side { self == .subjectLeft ? .subjectRight : .subjectLeft }

  /// +1 for the subject's left, −1 for the right: the sign of a yaw towards this side (see ``HeadPose``).
  public var yawSign: Float { self == .subjectLeft ? 1 : -1 }
}
