public import MienLiveness
public import MienCore

/// Keeps each person's own depth thresholds, every version of them.
public protocol EnrollmentStore: Sendable {
  /// Keeps the thresholds as the person's newest version and returns its number, counted from 1.
  func enrol(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int
  /// The person's newest thresholds; nil when there is no enrolment.
  func thresholds(of person: PersonID) async throws -> DepthThresholds?
}
