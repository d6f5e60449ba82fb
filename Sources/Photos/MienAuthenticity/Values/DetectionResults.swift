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
