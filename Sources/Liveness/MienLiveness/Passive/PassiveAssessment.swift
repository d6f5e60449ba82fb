public import MienCore

/// Combined result of the passive findings (Documentation/reference/PassiveSignals.md).
///
/// A check rejects a session on its own only if it raised no false alarm on bona fide footage and its measure was far from the threshold
/// there. Every other check lowers trust, and two of those together reject. A check that could not be assessed has no effect in either
/// direction.
public struct PassiveAssessment: Hashable, Sendable {
  /// Recommended outcome.
  public enum Outcome: Hashable, Sendable {
    /// No evidence against the session. This does not prove a live subject.
    case unsuspicious
    /// One weak indication: defer to another check or a human reviewer.
    case doubtful
    case refused
    /// No check could be assessed.
    case notAssessed
  }

  /// Checks that reject a session on their own.
  public static let refusing: Set<String> = ["frames-repeated", "movement-stillness", "movement-jerkiness"]

  /// Checks of `refusing` that work for any session with enough faces. `movement-jerkiness` additionally needs nine frames per second,
  /// which a slow network does not deliver.
  static let always: Set<String> = ["frames-repeated", "movement-stillness"]

  public let outcome: Outcome
  /// Lowest score of the assessed checks; `nil` if none was assessed.
  public let trust: Score?
  public let findings: [Finding]
  /// `true` if a check that rejects on its own had too few faces for an assessment. An attack that it would have rejected, such as a few
  /// still images, may have gone undetected.
  public let lacksFrames: Bool

  /// Combines findings. A finding of an unknown check counts as one that lowers trust.
  public init(_ findings: [Finding]) {
    self.findings = findings
    lacksFrames = findings.contains { finding in
      guard Self.always.contains(finding.check), case .notAssessed(.tooFewFrames) = finding.result else { return false }
      return true
    }
    var (lowest, refusals, doubts) = (Score?.none, 0, 0)
    for finding in findings {
      let measure: Finding.Measure
      switch finding.result {
      case .notAssessed: continue
      case .genuine(let found): measure = found
      case .suspect(let found, _):
        measure = found
        if Self.refusing.contains(finding.check) { refusals += 1 } else { doubts += 1 }
      }
      lowest = min(lowest ?? measure.score, measure.score)
    }
    trust = lowest
    outcome =
      lowest == nil
      ? .notAssessed : refusals > 0 || doubts > 1 ? .refused : doubts > 0 ? .doubtful : .unsuspicious
  }
}
