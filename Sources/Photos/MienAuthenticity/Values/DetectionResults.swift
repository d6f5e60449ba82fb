/// What all checks say of a capture; every part may be missing, with the reason beside it.
public struct DetectionResults: Hashable, Sendable {
  public var moire: MoireReport?
  public var texture: TextureReport?
  public var artifacts: ArtifactReport?
  public var depth: DepthReport?
  public var burst: BurstReport?
  public var aggregated: AggregateReport?
  public var crossValidation: CrossValidationReport?
  /// What each check measured, with thresholds and versions, in the order of ``CheckName``; also why one could not look.
  public var readings: [SceneCheckResult]
  /// How long each group of checks took, in milliseconds.
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

  /// Results of which none could be had, with the reason at every check.
  public static func unavailable(because obstacle: SceneCheckUnavailableReason) -> DetectionResults {
    DetectionResults(
      readings: CheckName.allCases.map {
        SceneCheckResult(check: $0, outcome: .notAssessed(obstacle), version: CaptureAnalyzer.version)
      })
  }

  /// True when at least one of the checks has an answer.
  public var hasAnyResults: Bool {
    moire != nil || texture != nil || artifacts != nil || depth != nil || burst != nil
  }

  /// True when there are answers, but not of all the checks of a picture.
  public var isPartial: Bool { hasAnyResults && (moire == nil || texture == nil || artifacts == nil) }

  /// The reading of one check, nil when it is not among them.
  public subscript(check: CheckName) -> SceneCheckResult? { readings.first { $0.check == check } }

  /// The summary that the metadata of a capture carries.
  public var summary: DetectionSummary {
    DetectionSummary(
      available: hasAnyResults, confidenceLevel: aggregated?.confidenceLevel,
      primaryValid: aggregated?.primarySignalValid, signalsAgree: aggregated?.signalsAgree)
  }
}

/// Checks that work on the same thing and run as one job.
public enum CheckGroup: String, Codable, Hashable, Sendable, CaseIterable {
  case moire, texture, artifacts, depth, burst, aggregate
}

/// The summary fields of detection in a capture's metadata.
public struct DetectionSummary: Codable, Hashable, Sendable {
  public var available: Bool
  public var confidenceLevel: AggregateReport.Level?
  /// Whether the primary signal passed.
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
