/// Response to `GET /v1/retention`: the retention times, and the number of items deleted because they expired.
public struct RetentionResponse: Codable, Hashable, Sendable {
  /// Retention time in seconds by kind; null if items are kept until deleted explicitly.
  public var retentionSeconds: [String: Int?]
  /// Number of items deleted since this server started, by kind.
  public var deleted: [String: Int]
  /// This server's last entry in the audit log; `nil` if there was none since it started.
  public var lastReport: Report?

  /// Number of items deleted between two reports.
  public struct Report: Codable, Hashable, Sendable {
    /// RFC 3339.
    public var at: String
    public var deleted: [String: Int]

    public init(at: String, deleted: [String: Int]) {
      self.at = at
      self.deleted = deleted
    }
  }

  public init(retentionSeconds: [String: Int?], deleted: [String: Int], lastReport: Report?) {
    self.retentionSeconds = retentionSeconds
    self.deleted = deleted
    self.lastReport = lastReport
  }

  private enum CodingKeys: String, CodingKey {
    case retentionSeconds = "retention_seconds"
    case deleted
    case lastReport = "last_report"
  }
}

/// Response to `DELETE /v1/people/{person}` if requested with `Prefer: return=representation` (RFC 7240).
public struct DeletionResponse: Codable, Hashable, Sendable {
  /// Number of deleted items by kind.
  public var deleted: [String: Int]

  public init(deleted: [String: Int]) {
    self.deleted = deleted
  }
}
