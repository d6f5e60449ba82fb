public import MienCore

/// What passive findings come to together (Documentation/PassiveSignals.md).
///
/// A check refuses on its own only if it wrongly suspected no genuine footage and its measure lay far from the
/// threshold there; any other lowers trust, and two of those together refuse. What could not be assessed counts for
/// nothing, neither for the person nor against.
public struct PassiveAssessment: Hashable, Sendable {
  /// What to do.
  public enum Outcome: Hashable, Sendable {
    /// Nothing speaks against the session. It is not proof of a living person.
    case unsuspicious
    /// One weak sign: let another check decide, or a person.
    case doubtful
    case refused
    /// No check could be made.
    case notAssessed
  }

  /// The checks that refuse on their own.
  public static let refusing: Set<String> = ["frames-repeated", "movement-stillness", "movement-jerkiness"]

  /// Those of them that see any session with enough faces in it. `movement-jerkiness` needs nine frames a second besides, which
  /// a slow network does not carry.
  static let always: Set<String> = ["frames-repeated", "movement-stillness"]

  public let outcome: Outcome
  /// The lowest score of the assessed checks; nil when none was.
  public let trust: Score?
  public let findings: [Finding]
  /// True when a check that refuses on its own saw too few faces to say anything: what it would have refused, a few stills
  /// among it, may have passed unseen.
  public let lacksFrames: Bool

  /// Combines findings; those of checks it does not know count as ones that lower trust.
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
