/// Access key with its secret, and a session token for temporary keys.
public struct S3Credentials: Sendable, CustomStringConvertible, CustomReflectable {
  let id: String
  let secret: String
  let token: String?

  /// Returns `nil` if a value is not valid in a header: all three must be visible ASCII.
  public init?(id: String, secret: String, token: String? = nil) {
    guard [id, secret, token ?? "-"].allSatisfy(Self.isPlain), !id.contains("/"), id.utf8.count <= 128 else {
      return nil
    }
    self.id = id
    self.secret = secret
    self.token = token
  }

  /// Reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, and, for temporary keys, `AWS_SESSION_TOKEN`. Returns `nil` if a required value
  /// is missing or one is malformed.
  public init?(environment: [String: String]) {
    guard let id = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
      return nil
    }
    let token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    self.init(id: id, secret: secret, token: token)
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 8192
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ",") }
  }

  public var description: String { "S3Credentials(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
