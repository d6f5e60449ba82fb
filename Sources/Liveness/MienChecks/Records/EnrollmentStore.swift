public import MienPlatform
public import MienLiveness
public import MienCore

/// Stores each person's depth thresholds, in all their versions.
public protocol EnrollmentStore: Sendable {
  /// Stores the thresholds as the person's newest version and returns its number, starting at 1.
  func enrol(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int
  /// Returns the person's newest thresholds; `nil` if the person is not enrolled.
  func thresholds(of person: PersonID) async throws -> DepthThresholds?
}
