/// Head orientation in degrees.
///
/// Signs, verified on real footage: yaw + = the nose points to the subject's left (the image's right if the image is
/// not mirrored); pitch + = up; roll + = the top of the head leans to the image's left. Mirroring an image flips yaw
/// and roll. Rotation order: R = Ry(yaw) · Rx(−pitch) · Rz(roll), camera axes as in ARKit (x right, y up, z toward the
/// viewer).
public struct HeadPose: Hashable, Sendable {
  /// Degrees, −180…180.
  public var yaw: Float
  /// Degrees, −90…90.
  public var pitch: Float
  /// Degrees, −180…180.
  public var roll: Float

  public init(yaw: Float, pitch: Float, roll: Float) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }

  /// `true` if all three angles are finite and in their ranges.
  public var isPlausible: Bool {
    abs(yaw) <= 180 && abs(pitch) <= 90 && abs(roll) <= 180
  }
}

extension HeadPose: CustomStringConvertible, CustomReflectable {
  public var description: String { "HeadPose(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

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
