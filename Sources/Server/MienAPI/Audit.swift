/// What `GET /v1/audit` returns: up to 1000 entries in their order.
public struct AuditResponse: Codable, Hashable, Sendable {
  public var entries: [AuditLine]

  public init(entries: [AuditLine]) {
    self.entries = entries
  }
}

/// One entry of the audit log: names only.
public struct AuditLine: Codable, Hashable, Sendable {
  /// 1 for the first.
  public var number: Int64
  public var at: String
  /// `key_…`, `user/…`, `aws/…`, `check/…`, `receipt`, `anyone`, `retention` or `command-line`.
  public var actor: String
  public var action: String
  public var subject: String
  /// Ties it to the entry before: 64 digits.
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
