/// User data known to the app, for the greeting on screen and for the backend.
public struct LivenessUser: Codable, Hashable, Sendable {
  public var firstName: String
  public var lastName: String?
  public var email: String?

  public init(firstName: String, lastName: String? = nil, email: String? = nil) {
    self.firstName = firstName
    self.lastName = lastName
    self.email = email
  }
}

extension LivenessUser: CustomStringConvertible, CustomReflectable {
  public var description: String { "LivenessUser(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
