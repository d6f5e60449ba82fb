/// Artifact results in the format of the detection payload.
public struct ArtifactReport: Hashable, Sendable {
  public var isLikelyArtificial: Bool
  /// Confidence in `isLikelyArtificial`, 0…1.
  public var confidence: Double
  public var pwm: Sign
  public var specular: Sign
  public var halftone: Sign
  public var bezel: Sign
  public var doubleCompression: Sign
  public var algorithmVersion: String

  /// Result for one artifact; nil if it could not be assessed.
  public struct Sign: Hashable, Sendable {
    public var detected: Bool?
    /// Confidence in `detected`, 0…1.
    public var confidence: Double?

    public init(detected: Bool?, confidence: Double?) {
      self.detected = detected
      self.confidence = confidence
    }

    public static let notAssessed = Sign(detected: nil, confidence: nil)
  }

  public init(
    isLikelyArtificial: Bool, confidence: Double, pwm: Sign, specular: Sign, halftone: Sign, bezel: Sign,
    doubleCompression: Sign, algorithmVersion: String
  ) {
    self.isLikelyArtificial = isLikelyArtificial
    self.confidence = confidence
    self.pwm = pwm
    self.specular = specular
    self.halftone = halftone
    self.bezel = bezel
    self.doubleCompression = doubleCompression
    self.algorithmVersion = algorithmVersion
  }
}

extension ArtifactReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case isLikelyArtificial = "is_likely_artificial"
    case overallConfidence = "overall_confidence"
    case confidence
    case pwmDetected = "pwm_detected"
    case pwmFlickerDetected = "pwm_flicker_detected"
    case pwmConfidence = "pwm_confidence"
    case specularDetected = "specular_pattern_detected"
    case specularConfidence = "specular_confidence"
    case halftoneDetected = "halftone_detected"
    case halftoneConfidence = "halftone_confidence"
    case bezelDetected = "bezel_detected"
    case bezelConfidence = "bezel_confidence"
    case doubleCompressionDetected = "double_compression_detected"
    case doubleCompressionConfidence = "double_compression_confidence"
    case algorithmVersion = "algorithm_version"
  }

  /// Accepts both `pwm_detected` and the original application's `pwm_flicker_detected`, and both `confidence` and
  /// `overall_confidence`.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    func sign(_ detected: CodingKeys, _ confidence: CodingKeys) throws -> Sign {
      Sign(
        detected: try box.decodeIfPresent(Bool.self, forKey: detected),
        confidence: try box.fractionIfPresent(forKey: confidence))
    }
    isLikelyArtificial = try box.decode(Bool.self, forKey: .isLikelyArtificial)
    confidence = try box.fraction(forKey: box.contains(.confidence) ? .confidence : .overallConfidence)
    pwm = try sign(box.contains(.pwmDetected) ? .pwmDetected : .pwmFlickerDetected, .pwmConfidence)
    specular = try sign(.specularDetected, .specularConfidence)
    halftone = try sign(.halftoneDetected, .halftoneConfidence)
    bezel = try sign(.bezelDetected, .bezelConfidence)
    doubleCompression = try sign(.doubleCompressionDetected, .doubleCompressionConfidence)
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(isLikelyArtificial, forKey: .isLikelyArtificial)
    try box.encode(confidence, forKey: .confidence)
    func write(_ sign: Sign, _ detected: CodingKeys, _ confidence: CodingKeys) throws {
      try box.encodeIfPresent(sign.detected, forKey: detected)
      try box.encodeIfPresent(sign.confidence, forKey: confidence)
    }
    try write(pwm, .pwmDetected, .pwmConfidence)
    try write(specular, .specularDetected, .specularConfidence)
    try write(halftone, .halftoneDetected, .halftoneConfidence)
    try write(bezel, .bezelDetected, .bezelConfidence)
    try write(doubleCompression, .doubleCompressionDetected, .doubleCompressionConfidence)
    try box.encode(algorithmVersion, forKey: .algorithmVersion)
  }
}
