/// The reply to an enrolment: how many captures were used and which version of the person's thresholds now holds.
public struct EnrollmentResponse: Codable, Hashable, Sendable {
  public var person: String
  public var version: Int
  public var captures: Int

  public init(person: String, version: Int, captures: Int) {
    self.person = person
    self.version = version
    self.captures = captures
  }
}
