import MienCore

/// The CSV format of the Live Link Face app; `Documentation/reference/formats/LiveLinkFace.md` specifies how it is read and
/// written.
public enum LiveLinkFace {
  /// The content of a column.
  enum Column: Hashable {
    case timecode
    case count
    case coefficient(BlendshapeName)
    /// Index into ``angleNames``.
    case angle(Int)
  }

  /// The nine angles, in radians, in the app's order: the head's first.
  static let angleNames = [
    "HeadYaw", "HeadPitch", "HeadRoll", "LeftEyeYaw", "LeftEyePitch", "LeftEyeRoll", "RightEyeYaw", "RightEyePitch",
    "RightEyeRoll",
  ]

  /// The app's order of the 52 coefficients.
  static let writingOrder: [BlendshapeName] = [
    .eyeBlinkLeft, .eyeLookDownLeft, .eyeLookInLeft, .eyeLookOutLeft, .eyeLookUpLeft, .eyeSquintLeft, .eyeWideLeft,
    .eyeBlinkRight, .eyeLookDownRight, .eyeLookInRight, .eyeLookOutRight, .eyeLookUpRight, .eyeSquintRight,
    .eyeWideRight, .jawForward, .jawRight, .jawLeft, .jawOpen, .mouthClose, .mouthFunnel, .mouthPucker, .mouthRight,
    .mouthLeft, .mouthSmileLeft, .mouthSmileRight, .mouthFrownLeft, .mouthFrownRight, .mouthDimpleLeft,
    .mouthDimpleRight, .mouthStretchLeft, .mouthStretchRight, .mouthRollLower, .mouthRollUpper, .mouthShrugLower,
    .mouthShrugUpper, .mouthPressLeft, .mouthPressRight, .mouthLowerDownLeft, .mouthLowerDownRight,
    .mouthUpperUpLeft, .mouthUpperUpRight, .browDownLeft, .browDownRight, .browInnerUp, .browOuterUpLeft,
    .browOuterUpRight, .cheekPuff, .cheekSquintLeft, .cheekSquintRight, .noseSneerLeft, .noseSneerRight, .tongueOut,
  ]

  /// Conversion factor from the file's radians to degrees; negative because the app's angles have the opposite sign.
  static let degreesPerRadian: Float = -180.0 / .pi

  /// Returns the column with this name, or `nil`.
  static func column(_ name: InlineString32) -> Column? {
    if name == Names.timecode { return .timecode }
    if name == Names.count || name == Names.olderCount { return .count }
    if let index = Names.angles.firstIndex(of: name) { return .angle(index) }
    var expected = 0
    return CoefficientTable.upperCamel.find(name, expected: &expected).map { .coefficient($0) }
  }

  enum Names {
    static let timecode = InlineString32("Timecode")
    static let count = InlineString32("BlendShapeCount")
    static let olderCount = InlineString32("BlendshapeCount")
    static let angles = angleNames.map { InlineString32($0) }
  }
}
