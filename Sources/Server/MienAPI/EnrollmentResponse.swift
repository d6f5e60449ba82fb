/// Response to an enrollment: the number of captures used and the current version of the person's thresholds.
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
