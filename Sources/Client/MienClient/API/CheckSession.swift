/// Credentials for one check: its ID and token, as issued by the server to the integrator's backend.
///
/// They are `id` and `token` in the `/v1` API, `sessionId` and `authToken` in the Youverify-compatible API.
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
