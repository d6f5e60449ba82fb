internal import MienCore
internal import MienImaging

/// The artifact checks and their combined report.
public struct ArtifactChecks: Sendable {
  public static let version = "1"

  public var banding = BandingCheck()
  public var specular = SpecularCheck()
  public var halftone = HalftoneCheck()
  public var bezel = BezelCheck()
  public var doubleCompression = DoubleCompressionCheck()

  public init() {}

  /// Runs all artifact checks except halftone, which needs the measurements of the moire job.
  func read(_ image: SampledImage, with people: PeopleInImage = PeopleInImage([])) -> [SceneCheckResult] {
    guard TileGrid(width: image.width, height: image.height) != nil else {
      return [.banding, .specular, .bezel, .doubleCompression].map {
        SceneCheckResult(check: $0, outcome: .notAssessed(.imageTooSmall), version: Self.version)
      }
    }
    let coarse = image.coarse
    return [
      banding.read(coarse, beside: people), specular.read(coarse), bezel.read(coarse), doubleCompression.read(image),
    ]
  }

  /// Returns the inputs of the texture check from these results; nil if they are missing or were computed with settings
  /// other than those used in training.
  func frameSigns(_ readings: [SceneCheckResult]) -> SceneMeasures.FrameSigns? {
    guard banding.settings.coherence == BandingCheck.Settings.shipped.coherence,
      bezel.settings.step == BezelCheck.Settings.shipped.step
    else { return nil }
    func native(_ check: CheckName) -> Double? { readings.first { $0.check == check }?.assessment?.measure.native }
    guard let banding = native(.banding), let bezel = native(.bezel) else { return nil }
    return SceneMeasures.FrameSigns(banding: banding, bezel: bezel)
  }

  /// Checks that count as evidence of a recapture.
  private static let accusing: Set<CheckName> = [.banding, .specular, .halftone, .bezel]

  /// Returns `true` if results with one of these verdicts make artifacts likely: banding or halftone, or any two. A
  /// single weak sign is not enough.
  private static func accuses(_ readings: [SceneCheckResult], with verdicts: Set<SceneCheckResult.Verdict>) -> Bool {
    let signs = readings.filter { reading in
      accusing.contains(reading.check) && reading.assessment.map { verdicts.contains($0.verdict) } == true
    }.map(\.check)
    return signs.contains(.banding) || signs.contains(.halftone) || signs.count >= 2
  }

  /// Returns `true` if artifacts are not likely now but would be if the undecided results were suspect.
  public static func isOpen(_ readings: [SceneCheckResult]) -> Bool {
    !accuses(readings, with: [.suspect]) && accuses(readings, with: [.suspect, .undecided])
  }

  /// Returns the combined report, or nil if no artifact check was assessed.
  static func report(_ readings: [SceneCheckResult]) -> ArtifactReport? {
    func sign(_ check: CheckName) -> ArtifactReport.Sign {
      guard let found = readings.first(where: { $0.check == check })?.assessment else { return .notAssessed }
      let score = found.measure.score.value
      return ArtifactReport.Sign(
        detected: found.verdict == .suspect, confidence: found.verdict == .suspect ? 1 - score : score)
    }
    let assessed = readings.filter { accusing.contains($0.check) }.compactMap(\.assessment)
    guard let lowest = assessed.map(\.measure.score).min() else { return nil }
    let likely = accuses(readings, with: [.suspect])
    return ArtifactReport(
      isLikelyArtificial: likely, confidence: likely ? 1 - lowest.value : lowest.value, pwm: sign(.banding),
      specular: sign(.specular), halftone: sign(.halftone), bezel: sign(.bezel),
      doubleCompression: sign(.doubleCompression), algorithmVersion: version)
  }
}

/// Artifact results in the format of the detection payload.
public struct ArtifactReport: Hashable, Sendable {
  public var isLikelyArtificial: Bool
  /// Confidence in `isLikelyArtificial`, 0…1; nil if another program did not report it.
  public var confidence: Double?
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
    isLikelyArtificial: Bool, confidence: Double?, pwm: Sign, specular: Sign, halftone: Sign, bezel: Sign,
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
  /// `overall_confidence`, or neither.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    func sign(_ detected: CodingKeys, _ confidence: CodingKeys) throws -> Sign {
      Sign(
        detected: try box.decodeIfPresent(Bool.self, forKey: detected),
        confidence: try box.fractionIfPresent(forKey: confidence))
    }
    isLikelyArtificial = try box.decode(Bool.self, forKey: .isLikelyArtificial)
    confidence = try box.fractionIfPresent(forKey: box.contains(.confidence) ? .confidence : .overallConfidence)
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
    try box.encodeIfPresent(confidence, forKey: .confidence)
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
