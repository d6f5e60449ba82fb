import MienAuthenticity
import MienEvaluation
import MienCore

/// What is evaluated: one check, or all of them weighed together.
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

  /// The measure from which it says suspect.
  var threshold: Double? {
    switch self {
    case .check(let check): CaptureAnalyzer().calibration(of: check)?.suspectFrom
    case .aggregated: CaptureAnalyzer().aggregation.settings.levels.last.map { 1 - $0 }
    }
  }

  /// The measure, greater for copies, and the answer.
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

  /// The same of a measure from a table.
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

  /// `suspicious` is suspect, `high` and `very_high` are genuine.
  init(_ level: AggregateReport.Level) {
    switch level {
    case .veryHigh, .high: self = .genuine
    case .medium, .low: self = .undecided
    case .suspicious: self = .suspect
    }
  }
}
