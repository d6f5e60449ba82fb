/// Body of `/health/ready`.
public struct ReadinessResponse: Codable, Hashable, Sendable {
  /// `ready`; `degraded` if only some requests can be served; `not-ready`.
  public var status: String
  public var failures: [Item]

  public struct Item: Codable, Hashable, Sendable {
    /// `model-unavailable`, `database-unavailable`, `database-full`, `object-store-unavailable` or
    /// `data-directory-unavailable`.
    public var code: String
    /// Missing item, for example a file name.
    public var detail: String

    public init(code: String, detail: String) {
      self.code = code
      self.detail = detail
    }
  }

  /// - Parameters:
  ///   - vital: failures without which no essential request can be served.
  ///   - others: failures without which some requests can still be served.
  public init(vital: [Item], others: [Item]) {
    status = !vital.isEmpty ? "not-ready" : others.isEmpty ? "ready" : "degraded"
    failures = vital + others
  }

  /// `true` if a load balancer may send requests to this server.
  public var isUseful: Bool { status != "not-ready" }
}
