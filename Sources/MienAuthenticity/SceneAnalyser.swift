/// Runs the checks over a capture.
///
/// Pure and synchronous: a service runs ``jobs(for:)`` side by side and puts what came back together with
/// ``assemble(_:timings:)``; a tool calls ``analyse(_:)``.
public struct SceneAnalyser: Sendable {
  /// The version of the set of checks as a whole.
  public static let version = "1"

  public init() {}

  /// One job: a group of checks with what it needs.
  public struct Job: Sendable {
    public let group: CheckGroup
    /// Does the work; takes as long as it takes.
    public let run: @Sendable () -> Part
  }

  /// What a job brings back.
  public struct Part: Sendable {
    public var readings: [CheckReading]
    public var report: Report?

    public enum Report: Sendable {
      case moire(MoireReport)
      case texture(TextureReport)
      case artifacts(ArtifactReport)
      case depth(DepthReport)
      case burst(BurstReport)
    }

    public init(readings: [CheckReading], report: Report?) {
      self.readings = readings
      self.report = report
    }

    /// What stands for a job that did not come back.
    public static func missing(_ group: CheckGroup, because obstacle: CheckObstacle) -> Part {
      Part(
        readings: group.checks.map {
          CheckReading(check: $0, outcome: .notAssessed(obstacle), version: SceneAnalyser.version)
        }, report: nil)
    }
  }

  /// The jobs for what a capture brings; they share nothing that changes and may run side by side.
  public func jobs(for capture: SceneCapture) -> [Job] { [] }

  /// Puts parts together and weighs them.
  public func assemble(_ parts: [Part], timings: [CheckGroup: Double] = [:]) -> DetectionResults {
    var results = DetectionResults(timings: timings)
    for part in parts {
      switch part.report {
      case .moire(let report): results.moire = report
      case .texture(let report): results.texture = report
      case .artifacts(let report): results.artifacts = report
      case .depth(let report): results.depth = report
      case .burst(let report): results.burst = report
      case nil: break
      }
    }
    results.readings = CheckName.allCases.compactMap { check in
      parts.lazy.flatMap(\.readings).first { $0.check == check }
    }
    return results
  }

  /// All jobs one after the other, put together.
  public func analyse(_ capture: SceneCapture) -> DetectionResults {
    assemble(jobs(for: capture).map { $0.run() })
  }
}

extension CheckGroup {
  /// The checks of the group.
  public var checks: [CheckName] {
    switch self {
    case .moire: [.moire]
    case .texture: [.texture]
    case .artifacts: [.banding, .specular, .halftone, .bezel, .doubleCompression]
    case .depth: [.depth]
    case .burst: [.parallax, .bandMotion, .flicker, .focus]
    case .aggregate: []
    }
  }
}
