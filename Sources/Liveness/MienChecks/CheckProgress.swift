public import MienCore

/// State of a check for a page that does not perform it, such as the one that handed it over to a phone.
public struct CheckProgress: Hashable, Sendable {
  /// `true` once the check has begun on this server.
  public let isBegun: Bool
  /// Completed fraction of all tasks, 0…1; `nil` unless this server performs the check.
  public let completed: Float?
  /// The current task; `nil` unless this server performs the check.
  public let task: TaskPosition?
  /// The outcome with its reason; `nil` until the check is decided.
  public let outcome: CheckResult.Outcome?
  public let reason: String?
  /// Address that the page leads back to.
  public let returnURL: String?

  /// Position of a task in a check.
  public struct TaskPosition: Hashable, Sendable {
    /// Index of the task out of `count`, from 0.
    public let index: Int
    public let count: Int
  }
}

extension LivenessCheckService {
  /// Returns the state of a check for the holder of its token. A decided check is reported after the token's expiry as
  /// well.
  public func progress(of id: CheckID, token: String?) async throws -> CheckProgress {
    let digest = try expectToken(token, of: id)
    guard let found = try await store.check(id) else { throw Self.noSuchCheck }
    if found.result == nil || found.record.token != digest { try admit(found.record, digest) }
    let completion = found.result == nil ? await live[id]?.completion : nil
    return CheckProgress(
      isBegun: found.result != nil || completion != nil, completed: completion?.fraction, task: completion?.task,
      outcome: found.result?.outcome, reason: found.result?.reason, returnURL: found.record.returnURL)
  }
}
