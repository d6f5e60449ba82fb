/// The right to do one check: its id and its token, as the integrator's backend got them from the server.
///
/// From the `/v1` API these are `id` and `token`, from the Youverify dialect `sessionId` and `authToken`.
public struct CheckSession: Codable, Hashable, Sendable {
  public var id: String
  public var token: String

  public init(id: String, token: String) {
    self.id = id
    self.token = token
  }
}

extension CheckSession: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckSession(\(id), token withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
