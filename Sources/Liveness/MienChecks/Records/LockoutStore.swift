public import MienPlatform
public import MienCore

/// A subject whose failures are counted.
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

  /// ID as given by the integrator.
  public var name: String {
    switch self {
    case .person(let person): person.text
    case .device(let device): device.text
    }
  }
}

/// Stores the data of a person or device that does not belong to a single check.
public protocol LockoutStore: Sendable {
  /// Returns the lockout states of subjects; those without failures are left out.
  func lockouts(of subjects: [LockoutSubject]) async throws -> [LockoutSubject: LockoutPolicy]
  /// Deletes the states that have no effect at `time`; returns how many.
  func purgeLockouts(expiredBy time: UnixTime) async throws -> Int
  /// Deletes a person's checks with all associated data, enrollments and recorded failures; returns the counts.
  func delete(_ person: PersonID) async throws -> ErasureCounts
}

extension LockoutStore {
  /// Returns the lockout state of a subject.
  public func lockout(of subject: LockoutSubject) async throws -> LockoutPolicy {
    try await lockouts(of: [subject])[subject] ?? LockoutPolicy()
  }
}
