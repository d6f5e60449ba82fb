internal import MienPlatform
internal import MienCore

extension CheckRecord {
  /// Subjects for which this check's failure counts.
  public var subjects: [LockoutSubject] { [person.map { .person($0) }, device.map { .device($0) }].compactMap { $0 } }
}

extension LivenessCheckService {
  /// Throws if one of the subjects is locked out after too many failures.
  func refuseLockedOut(_ subjects: [LockoutSubject]) async throws {
    guard let rules = settings.lockout, !subjects.isEmpty else { return }
    let kept = try await store.lockouts(of: subjects)
    for subject in subjects {
      guard let left = kept[subject]?.remaining(at: clock.timeOfDay(), rules) else { continue }
      let seconds = Int(left.inSeconds.rounded(.up))
      throw ServiceError(
        .lockedOut, "Too many checks of this \(subject.kind) failed. Try again in \(seconds) s.", retryAfter: seconds)
    }
  }

  /// Returns the rules by which a result counts for its subjects; `nil` if nothing was evaluated.
  func rules(for result: CheckResult) -> LockoutSettings? { result.source == .none ? nil : settings.lockout }
}
