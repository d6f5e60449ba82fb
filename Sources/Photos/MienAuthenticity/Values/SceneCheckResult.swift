public import MienCore

/// Result of one check: its native value with the calibrated score, or the reason it was not assessed.
public struct SceneCheckResult: Hashable, Sendable {
  public let check: CheckName
  public let outcome: Outcome
  /// Version of the measuring algorithm; calibrations have their own versions.
  public let version: String

  public enum Outcome: Hashable, Sendable {
    case assessed(Assessment)
    case notAssessed(SceneCheckUnavailableReason)
  }

  /// Classification of a native value.
  public enum Verdict: String, Codable, Hashable, Sendable {
    /// Evidence of a real scene.
    case genuine
    /// Evidence of a screen, a print or another flat recapture.
    case suspect
    /// Between the thresholds: not enough evidence either way.
    case undecided
  }

  /// Native value and its calibrated result.
  public struct Assessment: Hashable, Sendable {
    /// Value in the check's own unit, its score (1 = strongest evidence of a real scene) and the calibration's version.
    public let measure: Finding.Measure
    public let verdict: Verdict
    /// Native value from which the result is suspect.
    public let threshold: Double

    public init(measure: Finding.Measure, verdict: Verdict, threshold: Double) {
      self.measure = measure
      self.verdict = verdict
      self.threshold = threshold
    }
  }

  public init(check: CheckName, outcome: Outcome, version: String) {
    self.check = check
    self.outcome = outcome
    self.version = version
  }

  /// The assessment; nil if the check was not assessed.
  public var assessment: Assessment? {
    if case .assessed(let assessment) = outcome { assessment } else { nil }
  }
}

extension SceneCheckResult: Codable {
  private enum CodingKeys: String, CodingKey {
    case check, result, native, score, threshold, calibration, reason
    case version = "algorithm_version"
  }

  /// - Throws: `DecodingError` if the result is unknown or a number is missing, not finite or out of range.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    check = try box.decode(CheckName.self, forKey: .check)
    version = try box.shortText(forKey: .version)
    let result = try box.decode(String.self, forKey: .result)
    if result == "not-assessed" {
      outcome = .notAssessed(try box.decode(SceneCheckUnavailableReason.self, forKey: .reason))
      return
    }
    guard let verdict = Verdict(rawValue: result) else {
      throw DecodingError.dataCorruptedError(forKey: .result, in: box, debugDescription: "no such result")
    }
    let measure = Finding.Measure(
      native: try box.finite(forKey: .native), score: try box.score(forKey: .score),
      calibration: try box.shortText(forKey: .calibration))
    outcome = .assessed(
      Assessment(measure: measure, verdict: verdict, threshold: try box.finite(forKey: .threshold)))
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(check, forKey: .check)
    try box.encode(version, forKey: .version)
    switch outcome {
    case .notAssessed(let obstacle):
      try box.encode("not-assessed", forKey: .result)
      try box.encode(obstacle, forKey: .reason)
    case .assessed(let assessment):
      try box.encode(assessment.verdict, forKey: .result)
      try box.encode(assessment.measure.native, forKey: .native)
      try box.encode(assessment.measure.score.value, forKey: .score)
      try box.encode(assessment.threshold, forKey: .threshold)
      try box.encode(assessment.measure.calibration, forKey: .calibration)
    }
  }
}

/// Available checks, by the stable names used in interfaces, tables and settings.
public enum CheckName: String, Codable, Hashable, Sendable, CaseIterable {
  /// Periodic patterns of a display's pixel grid against the camera's.
  case moire
  /// Trained classifier over statistics of the image and its full-scale tiles.
  case texture
  /// Rolling-shutter bands of a pulse-width-modulated display or lamp.
  case banding
  /// Reflections typical of flat glossy surfaces.
  case specular
  /// Halftone dots of a print.
  case halftone
  /// Long straight borders of a screen or sheet around the content.
  case bezel
  /// Traces of an earlier JPEG compression.
  case doubleCompression = "double-compression"
  /// Shape of the scene in a depth map.
  case depth
  /// Burst: planar motion, or motion with parallax.
  case parallax
  /// Burst: bands that move differently from the content.
  case bandMotion = "band-motion"
  /// Burst: brightness flicker over time.
  case flicker
  /// Burst: spatial variation of the sharpness change during refocusing.
  case focus
}

/// Reason why a check was not assessed. This outcome is never represented by a number.
public enum SceneCheckUnavailableReason: String, Codable, Hashable, Sendable, CaseIterable {
  /// The image is too small or too elongated for the check.
  case imageTooSmall = "image-too-small"
  /// There is nothing to measure: black, white or without structure.
  case nothingToMeasure = "nothing-to-measure"
  /// The image has no color, which the check needs.
  case noColor = "no-color"
  /// The file is not a JPEG, or its quantization tables are not usable.
  case notCompressed = "not-compressed"
  /// The capture has no depth.
  case noDepth = "no-depth"
  /// The depth map does not match the image.
  case depthDoesNotFit = "depth-does-not-fit"
  /// Too few depth samples are valid.
  case tooLittleValidDepth = "too-little-valid-depth"
  /// The scene is so flat that a bona fide scene cannot be distinguished from an image of one.
  case sceneIsFlat = "scene-is-flat"
  /// The capture has no burst, or too few frames.
  case tooFewFrames = "too-few-frames"
  /// A face takes up so much of the image that too little of the scene is left for the check.
  case faceFillsImage = "face-fills-image"
  /// The burst shows a face, which moves on its own, also in a recapture.
  case faceInView = "face-in-view"
  /// The camera did not move enough.
  case cameraDidNotMove = "camera-did-not-move"
  /// The check was not requested.
  case notAsked = "not-asked"
  /// The check exceeded its time limit.
  case tooSlow = "too-slow"
  /// The image or depth map could not be decoded.
  case unreadable
}
