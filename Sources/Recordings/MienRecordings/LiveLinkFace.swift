internal import MienCore

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

extension LiveLinkFace {
  /// Writes a take in the app's format: 61 values per row with ten decimals, timecodes with thousandths of a frame.
  ///
  /// The format cannot represent unmeasured values: an unmeasured coefficient, a missing pose and the eyes' angles
  /// become zeros, and an observation without coefficients has no row. Use it for animation tools, not to archive a
  /// recording.
  /// - Throws: ``RecordingError`` for implausible observations, or if neither the recording nor `frameRate` provides a
  ///   frame rate.
  public static func write(_ recording: Recording, frameRate: Double? = nil) throws(RecordingError) -> [UInt8] {
    guard let rate = frameRate ?? recording.frameRate, rate >= 1, rate <= 1000 else {
      throw RecordingError(
        .frameRateUnknown, line: 0, unit: .observation, byte: 0, "timecodes need a frame rate of 1…1000")
    }
    var text = ASCIIWriter()
    text.append("Timecode,BlendShapeCount")
    for name in writingOrder {
      text.append(",")
      text.append(upperCamelName(name))
    }
    for name in angleNames {
      text.append(",")
      text.append(name)
    }
    text.append("\n")
    for (index, observation) in recording.observations.enumerated() {
      try checkWritable(observation, number: index + 1)
      guard let shapes = observation.blendshapes else { continue }
      Timecode(observation.at, frameRate: rate).write(to: &text)
      text.append(",61")
      for name in writingOrder { append(shapes[name] ?? Self.filler, to: &text) }
      let pose = observation.pose
      for angle in [pose?.yaw, pose?.pitch, pose?.roll] {
        append(angle.map { $0 / degreesPerRadian } ?? Self.filler, to: &text)
      }
      for _ in 3..<angleNames.count { append(Self.filler, to: &text) }
      text.append("\n")
    }
    return text.bytes
  }

  /// Placeholder for missing numbers that the format requires; readers interpret it as a measurement.
  private static let filler: Float = 0.0

  private static func append(_ value: Float, to text: inout ASCIIWriter) {
    text.append(",")
    text.append(value, digits: 10, isPadded: true)
  }
}
