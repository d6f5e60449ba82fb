/// Results of all checks on a capture; any part may be missing, with the reason in `readings`.
public struct DetectionResults: Hashable, Sendable {
  public var moire: MoireReport?
  public var texture: TextureReport?
  public var artifacts: ArtifactReport?
  public var depth: DepthReport?
  public var burst: BurstReport?
  public var aggregated: AggregateReport?
  public var crossValidation: CrossValidationReport?
  /// Result of each check with thresholds and versions, or the reason it was not assessed, in the order of
  /// ``CheckName``.
  public var readings: [SceneCheckResult]
  /// Processing time of each group of checks, in milliseconds.
  public var timings: [CheckGroup: Double]

  public init(
    moire: MoireReport? = nil, texture: TextureReport? = nil, artifacts: ArtifactReport? = nil,
    depth: DepthReport? = nil, burst: BurstReport? = nil, aggregated: AggregateReport? = nil,
    crossValidation: CrossValidationReport? = nil, readings: [SceneCheckResult] = [],
    timings: [CheckGroup: Double] = [:]
  ) {
    self.moire = moire
    self.texture = texture
    self.artifacts = artifacts
    self.depth = depth
    self.burst = burst
    self.aggregated = aggregated
    self.crossValidation = crossValidation
    self.readings = readings
    self.timings = timings
  }

  /// Returns results in which no check was assessed, with the given reason for each.
  public static func unavailable(because obstacle: SceneCheckUnavailableReason) -> DetectionResults {
    DetectionResults(
      readings: CheckName.allCases.map {
        SceneCheckResult(check: $0, outcome: .notAssessed(obstacle), version: CaptureAnalyzer.version)
      })
  }

  /// `true` if at least one group of checks has a report.
  public var hasAnyResults: Bool {
    moire != nil || texture != nil || artifacts != nil || depth != nil || burst != nil
  }

  /// `true` if there are reports, but not for all checks of an image.
  public var isPartial: Bool { hasAnyResults && (moire == nil || texture == nil || artifacts == nil) }

  /// Returns the result of one check, or nil if it is missing.
  public subscript(check: CheckName) -> SceneCheckResult? { readings.first { $0.check == check } }

  /// Summary for the capture's metadata.
  public var summary: DetectionSummary {
    DetectionSummary(
      available: hasAnyResults, confidenceLevel: aggregated?.confidenceLevel,
      primaryValid: aggregated?.primarySignalValid, signalsAgree: aggregated?.signalsAgree)
  }
}

/// Checks that share input and run as one job.
public enum CheckGroup: String, Codable, Hashable, Sendable, CaseIterable {
  case moire, texture, artifacts, depth, burst, aggregate
}

/// Detection summary fields in a capture's metadata.
public struct DetectionSummary: Codable, Hashable, Sendable {
  public var available: Bool
  public var confidenceLevel: AggregateReport.Level?
  /// `true` if the primary signal indicates a real scene.
  public var primaryValid: Bool?
  public var signalsAgree: Bool?

  public enum CodingKeys: String, CodingKey {
    case available = "detection_available"
    case confidenceLevel = "detection_confidence_level"
    case primaryValid = "detection_primary_valid"
    case signalsAgree = "detection_signals_agree"
  }

  public init(
    available: Bool, confidenceLevel: AggregateReport.Level?, primaryValid: Bool?, signalsAgree: Bool?
  ) {
    self.available = available
    self.confidenceLevel = confidenceLevel
    self.primaryValid = primaryValid
    self.signalsAgree = signalsAgree
  }
}

extension DetectionResults: Codable {
  private enum CodingKeys: String, CodingKey {
    case moire, texture, artifacts, depth, burst, aggregated, checks, status
    case aggregatedConfidence = "aggregated_confidence"
    case crossValidation = "cross_validation"
    case timings = "processing_ms"
  }

  /// Decodes this schema's names and the original application's; ignores unknown fields.
  ///
  /// - Throws: `DecodingError` if a known field has another type or a number is out of range.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    moire = try box.decodeIfPresent(MoireReport.self, forKey: .moire)
    texture = try box.decodeIfPresent(TextureReport.self, forKey: .texture)
    artifacts = try box.decodeIfPresent(ArtifactReport.self, forKey: .artifacts)
    depth = try box.decodeIfPresent(DepthReport.self, forKey: .depth)
    burst = try box.decodeIfPresent(BurstReport.self, forKey: .burst)
    aggregated = try box.decodeIfPresent(
      AggregateReport.self, forKey: box.contains(.aggregated) ? .aggregated : .aggregatedConfidence)
    crossValidation = try box.decodeIfPresent(CrossValidationReport.self, forKey: .crossValidation)
    readings = try box.shortList(of: SceneCheckResult.self, forKey: .checks)
    timings = [:]
    if let times = try box.decodeIfPresent([String: Double].self, forKey: .timings) {
      for (name, time) in times {
        guard let group = CheckGroup(rawValue: name), time.isFinite, time >= 0 else { continue }
        timings[group] = time
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(hasAnyResults ? (isPartial ? "partial" : "complete") : "unavailable", forKey: .status)
    try box.encodeIfPresent(moire, forKey: .moire)
    try box.encodeIfPresent(texture, forKey: .texture)
    try box.encodeIfPresent(artifacts, forKey: .artifacts)
    try box.encodeIfPresent(depth, forKey: .depth)
    try box.encodeIfPresent(burst, forKey: .burst)
    try box.encodeIfPresent(aggregated, forKey: .aggregated)
    try box.encodeIfPresent(crossValidation, forKey: .crossValidation)
    try box.encode(readings, forKey: .checks)
    try box.encode(
      Dictionary(uniqueKeysWithValues: timings.map { ($0.key.rawValue, $0.value) }), forKey: .timings)
  }
}
