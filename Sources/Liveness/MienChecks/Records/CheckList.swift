public import MienCore
public import MienPlatform

/// Filters for a list of checks, newest first.
public struct CheckListQuery: Hashable, Sendable {
  /// State of a check in a list: `open`, or the outcome of its verdict.
  public enum State: String, Hashable, Sendable, CaseIterable {
    case open
    case passed
    case failed
    case timedOut = "timed-out"
  }

  public var state: State?
  public var assurance: AssuranceLevel?
  public var reference: String?
  public var person: PersonID?
  /// Selects checks whose ID, reference or person is exactly this text.
  public var name: String?
  public var page = PageRequest()

  public init() {}
}

/// A check as listed. It contains no measurements of a face.
public struct CheckSummary: Hashable, Sendable {
  /// The part of the verdict that is listed.
  public struct Verdict: Hashable, Sendable {
    public let outcome: CheckResult.Outcome
    public let reason: String?
    public let decided: UnixTime
    public let source: CheckResult.Source
    public let basis: VerdictBasis

    public init(
      outcome: CheckResult.Outcome, reason: String?, decided: UnixTime, source: CheckResult.Source, basis: VerdictBasis
    ) {
      self.outcome = outcome
      self.reason = reason
      self.decided = decided
      self.source = source
      self.basis = basis
    }
  }

  public let id: CheckID
  public let created: UnixTime
  public let expires: UnixTime
  public let assurance: AssuranceLevel?
  public let person: PersonID?
  public let reference: String?
  /// `nil` for an open check.
  public let verdict: Verdict?

  public init(
    id: CheckID, created: UnixTime, expires: UnixTime, assurance: AssuranceLevel?, person: PersonID?,
    reference: String?, verdict: Verdict?
  ) {
    self.id = id
    self.created = created
    self.expires = expires
    self.assurance = assurance
    self.person = person
    self.reference = reference
    self.verdict = verdict
  }
}

extension LivenessCheckService {
  /// Returns a page of the checks that match a query.
  public nonisolated func checks(_ query: CheckListQuery) async throws -> RecordPage<CheckSummary> {
    try await store.checks(query)
  }
}
