/// What `GET /v1/retention` returns: how long things are kept, and what was erased because that was over.
public struct RetentionResponse: Codable, Hashable, Sendable {
  /// For how many seconds things are kept, by kind; null where they stay until somebody erases them.
  public var secondsKept: [String: Int?]
  /// How much this server has erased since it started, by kind.
  public var erased: [String: Int]
  /// What this server told the audit log last; nil when it had nothing to tell since it started.
  public var lastReport: Report?

  /// What was erased between two reports.
  public struct Report: Codable, Hashable, Sendable {
    /// RFC 3339.
    public var at: String
    public var erased: [String: Int]

    public init(at: String, erased: [String: Int]) {
      self.at = at
      self.erased = erased
    }
  }

  public init(secondsKept: [String: Int?], erased: [String: Int], lastReport: Report?) {
    self.secondsKept = secondsKept
    self.erased = erased
    self.lastReport = lastReport
  }

  private enum CodingKeys: String, CodingKey {
    case secondsKept = "seconds_kept"
    case erased
    case lastReport = "last_report"
  }
}
