/// The body of `/health/ready`.
public struct ReadinessResponse: Codable, Hashable, Sendable {
  /// `ready`; `degraded` when only a part of the requests can be answered; `not-ready`.
  public var status: String
  public var obstacles: [Item]

  public struct Item: Codable, Hashable, Sendable {
    /// `model-unavailable`, `database-unavailable`, `database-full`, `object-store-unavailable` or `data-folder-unavailable`.
    public var code: String
    /// What is missing, for example a file's name.
    public var what: String

    public init(code: String, what: String) {
      self.code = code
      self.what = what
    }
  }

  /// - Parameters:
  ///   - vital: without which nothing that matters can be done.
  ///   - others: without which a part of the requests is answered all the same.
  public init(vital: [Item], others: [Item]) {
    status = !vital.isEmpty ? "not-ready" : others.isEmpty ? "ready" : "degraded"
    obstacles = vital + others
  }

  /// True when a front may send requests here.
  public var isUseful: Bool { status != "not-ready" }
}
