public import MienModel

/// Whose failures are counted.
public enum LockoutSubject: Hashable, Sendable {
  case person(PersonID)
  case device(DeviceID)

  /// `person` or `device`.
  public var kind: String {
    switch self {
    case .person: "person"
    case .device: "device"
    }
  }

  /// The id, as the integrator gave it.
  public var name: String {
    switch self {
    case .person(let person): person.text
    case .device(let device): device.text
    }
  }
}

/// Keeps what belongs to a person or a device rather than to one check.
public protocol SubjectStore: Sendable {
  /// What is kept of subjects' failures; none of those who never failed.
  func lockouts(of subjects: [LockoutSubject]) async throws -> [LockoutSubject: LockoutMachine]
  /// Forgets what is worth nothing at `time`; returns how many.
  func forgetLockouts(expiredBy time: UnixTime) async throws -> Int
  /// Erases a person's checks with all that belongs to them, enrolments and remembered failures, and counts them.
  func erase(_ person: PersonID) async throws -> ErasureCounts
}

extension SubjectStore {
  /// What is kept of a subject's failures.
  public func lockout(of subject: LockoutSubject) async throws -> LockoutMachine {
    try await lockouts(of: [subject])[subject] ?? LockoutMachine()
  }
}
