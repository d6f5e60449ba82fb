public import MienModel

/// The body of `/health/ready`.
public struct ReadinessReply: Codable, Hashable, Sendable {
  /// `ready` or `not-ready`.
  public var status: String
  public var obstacles: [Item]

  public struct Item: Codable, Hashable, Sendable {
    public var code: String
    /// What is missing, for example a file's name.
    public var what: String
  }

  public init(obstacles: [Obstacle]) {
    status = obstacles.isEmpty ? "ready" : "not-ready"
    self.obstacles = obstacles.map { obstacle in
      switch obstacle {
      case .modelUnavailable(let what): Item(code: obstacle.code, what: what)
      default: Item(code: obstacle.code, what: "")
      }
    }
  }
}
