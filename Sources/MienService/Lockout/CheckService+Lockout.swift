internal import MienModel

extension CheckRecord {
  /// Whose failures this check counts to.
  var subjects: [LockoutSubject] { [person.map { .person($0) }, device.map { .device($0) }].compactMap { $0 } }
}

extension CheckService {
  /// Refuses who failed too often lately.
  func refuseLockedOut(_ subjects: [LockoutSubject]) async throws {
    guard settings.lockout != nil else { return }
    for subject in subjects {
      guard let left = try await store.lockout(of: subject).remaining(at: clock.timeOfDay()) else { continue }
      let seconds = Int(left.inSeconds.rounded(.up))
      throw ServiceError(
        .lockedOut, "Too many checks of this \(subject.kind) failed. Try again in \(seconds) s.", retryAfter: seconds)
    }
  }

  /// Counts a verdict to its subjects. A check that nobody did counts for nothing.
  func count(_ result: CheckResult, of check: CheckRecord) async throws {
    guard let rules = settings.lockout, result.source != .none else { return }
    for subject in check.subjects {
      try await store.changeLockout(of: subject) { machine in
        machine.ended(passed: result.outcome == .passed, at: result.decided, rules)
        return machine.expires(rules)
      }
    }
  }
}
