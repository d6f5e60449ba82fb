public import MienCore

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
public protocol LockoutStore: Sendable {
  /// What is kept of subjects' failures; none of those who never failed.
  func lockouts(of subjects: [LockoutSubject]) async throws -> [LockoutSubject: LockoutPolicy]
  /// Forgets what is worth nothing at `time`; returns how many.
  func purgeLockouts(expiredBy time: UnixTime) async throws -> Int
  /// Erases a person's checks with all that belongs to them, enrolments and remembered failures, and counts them.
  func delete(_ person: PersonID) async throws -> ErasureCounts
}

extension LockoutStore {
  /// What is kept of a subject's failures.
  public func lockout(of subject: LockoutSubject) async throws -> LockoutPolicy {
    try await lockouts(of: [subject])[subject] ?? LockoutPolicy()
  }
}
