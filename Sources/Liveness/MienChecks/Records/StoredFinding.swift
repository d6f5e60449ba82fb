public import MienCore

/// The column format of a finding.
public struct StoredFinding: Codable, Sendable {
  private let name: String
  private let result: String
  /// Numbers as text: JSON has no infinity, and databases may store fewer digits.
  private let native: String?
  private let score: String?
  private let calibration: String?
  private let reason: String?

  public init(_ finding: Finding) {
    let (result, measure, reason): (String, Finding.Measure?, String?) =
      switch finding.result {
      case .genuine(let measure): ("genuine", measure, nil)
      case .suspect(let measure, let reason): ("suspect", measure, reason)
      case .notAssessed(let obstacle): ("not-assessed", nil, StoredObstacle.text(obstacle))
      }
    name = finding.check
    self.result = result
    native = measure.map { "\($0.native)" }
    score = measure.map { "\($0.score.value)" }
    calibration = measure?.calibration
    self.reason = reason
  }

  /// The stored finding; `nil` if the value is invalid.
  public var finding: Finding? {
    if result == "not-assessed" {
      return reason.flatMap(StoredObstacle.read).map { Finding(check: name, result: .notAssessed($0)) }
    }
    guard let native = native.flatMap({ Double($0) }), let score = score.flatMap({ Double($0) }).flatMap({ Score($0) }),
      let calibration
    else { return nil }
    let measure = Finding.Measure(native: native, score: score, calibration: calibration)
    if result == "genuine" { return Finding(check: name, result: .genuine(measure)) }
    return reason.map { Finding(check: name, result: .suspect(measure, because: $0)) }
  }
}
