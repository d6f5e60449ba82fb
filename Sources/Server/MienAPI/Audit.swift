/// Response to `GET /v1/audit`: up to 1000 entries in order.
public struct AuditResponse: Codable, Hashable, Sendable {
  public var entries: [AuditLine]

  public init(entries: [AuditLine]) {
    self.entries = entries
  }
}

/// One entry of the audit log: identifiers only.
public struct AuditLine: Codable, Hashable, Sendable {
  /// Sequence number, starting at 1.
  public var number: Int64
  public var at: String
  /// `key_…`, `user/…`, `aws/…`, `check/…`, `receipt`, `anyone`, `retention` or `command-line`.
  public var actor: String
  public var action: String
  public var subject: String
  /// Hash that links the entry to the previous one: 64 hexadecimal digits.
  public var link: String

  public init(number: Int64, at: String, actor: String, action: String, subject: String, link: String) {
    self.number = number
    self.at = at
    self.actor = actor
    self.action = action
    self.subject = subject
    self.link = link
  }
}
