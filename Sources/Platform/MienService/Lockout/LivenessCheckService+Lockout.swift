internal import MienCore

extension CheckRecord {
  /// Whose failures this check counts to.
  public var subjects: [LockoutSubject] { [person.map { .person($0) }, device.map { .device($0) }].compactMap { $0 } }
}

extension LivenessCheckService {
  /// Refuses who failed too often lately.
  func refuseLockedOut(_ subjects: [LockoutSubject]) async throws {
    guard settings.lockout != nil, !subjects.isEmpty else { return }
    let kept = try await store.lockouts(of: subjects)
    for subject in subjects {
      guard let left = kept[subject]?.remaining(at: clock.timeOfDay()) else { continue }
      let seconds = Int(left.inSeconds.rounded(.up))
      throw ServiceError(
        .lockedOut, "Too many checks of this \(subject.kind) failed. Try again in \(seconds) s.", retryAfter: seconds)
    }
  }

  /// The rules under which a result counts to its subjects; nil for a check that nobody did.
  func rules(for result: CheckResult) -> LockoutSettings? { result.source == .none ? nil : settings.lockout }
}
