/// Body of `/health/ready`.
public struct ReadinessResponse: Codable, Hashable, Sendable {
  /// `ready`; `degraded` if only some requests can be served; `not-ready`.
  public var status: String
  public var obstacles: [Item]

  public struct Item: Codable, Hashable, Sendable {
    /// `model-unavailable`, `database-unavailable`, `database-full`, `object-store-unavailable` or
    /// `data-folder-unavailable`.
    public var code: String
    /// Missing item, for example a file name.
    public var what: String

    public init(code: String, what: String) {
      self.code = code
      self.what = what
    }
  }

  /// - Parameters:
  ///   - vital: failures without which no essential request can be served.
  ///   - others: failures without which some requests can still be served.
  public init(vital: [Item], others: [Item]) {
    status = !vital.isEmpty ? "not-ready" : others.isEmpty ? "ready" : "degraded"
    obstacles = vital + others
  }

  /// `true` if a load balancer may send requests to this server.
  public var isUseful: Bool { status != "not-ready" }
}
