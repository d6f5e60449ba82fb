internal import MienAuthenticity
internal import MienCore
internal import MienEvaluation

/// System under evaluation: one check, or the aggregation of all.
enum EvaluationTarget {
  case check(CheckName)
  case aggregated

  static let all: [EvaluationTarget] =
    [.aggregated]
    + [.texture, .moire, .halftone, .banding, .specular, .bezel, .doubleCompression].map(EvaluationTarget.check)

  init?(named name: String) {
    if name == "aggregated" {
      self = .aggregated
    } else if let check = CheckName(rawValue: name) {
      self = .check(check)
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .check(let check): check.rawValue
    case .aggregated: "aggregated"
    }
  }

  /// Measure from which the result is `suspect`.
  var threshold: Double? {
    switch self {
    case .check(let check): CaptureAnalyzer().calibration(of: check)?.suspectFrom
    case .aggregated: CaptureAnalyzer().aggregation.settings.levels.last.map { 1 - $0 }
    }
  }

  /// Measure from which the result of an image is `suspect`; `nil` if it was not assessed.
  func thresholdUsed(in results: DetectionResults?) -> Double? {
    guard case .check(let check) = self else { return nil }
    return results?[check]?.assessment?.threshold
  }

  /// Returns the measure, which is greater for copies, and the decision.
  func answer(_ results: DetectionResults?) -> (Double?, Presentation.Answer) {
    switch self {
    case .check(let check):
      guard let found = results?[check]?.assessment else { return (nil, .notAssessed) }
      return (found.measure.native, Presentation.Answer(found.verdict))
    case .aggregated:
      guard let report = results?.aggregated else { return (nil, .notAssessed) }
      return (1 - report.overallConfidence, Presentation.Answer(report.confidenceLevel))
    }
  }

  /// Returns the measure and the decision for a measure given in the table.
  func answer(given cell: Double??) -> (Double?, Presentation.Answer) {
    guard let cell, let measure = cell else { return (nil, .notAssessed) }
    switch self {
    case .check(let check):
      guard case .assessed(let found) = CaptureAnalyzer().calibration(of: check)?.outcome(measure) else {
        return (measure, .undecided)
      }
      return (measure, Presentation.Answer(found.verdict))
    case .aggregated:
      return (measure, Presentation.Answer(CaptureAnalyzer().aggregation.level(ofConfidence: 1 - measure)))
    }
  }
}

extension Presentation.Answer {
  init(_ verdict: SceneCheckResult.Verdict) {
    switch verdict {
    case .genuine: self = .genuine
    case .suspect: self = .suspect
    case .undecided: self = .undecided
    }
  }

  /// Maps `suspicious` to suspect, `high` and `very_high` to genuine, and the rest to undecided.
  init(_ level: AggregateReport.Level) {
    switch level {
    case .veryHigh, .high: self = .genuine
    case .medium, .low: self = .undecided
    case .suspicious: self = .suspect
    }
  }
}
