/// Response to `GET /v1/retention`: the retention times, and the number of items deleted because they expired.
public struct RetentionResponse: Codable, Hashable, Sendable {
  /// Retention time in seconds by kind; null if items are kept until deleted explicitly.
  public var secondsKept: [String: Int?]
  /// Number of items deleted since this server started, by kind.
  public var erased: [String: Int]
  /// This server's last entry in the audit log; `nil` if there was none since it started.
  public var lastReport: Report?

  /// Number of items deleted between two reports.
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
