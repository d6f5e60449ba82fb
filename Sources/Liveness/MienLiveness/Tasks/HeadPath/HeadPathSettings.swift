public import MienCore

/// How a head path is shown and judged. A value of this type is always sensible: the initialiser refuses nonsense.
///
/// The waypoints lie on an ellipse around the rest pose; distances are in its radii, so that neighbouring waypoints are
/// 0.77 apart and a radius is `yawRadius` degrees to the side or `pitchRadius` degrees up or down.
public struct HeadPathSettings: Hashable, Sendable {
  /// Degrees. 5…45.
  public let yawRadius: Float
  /// Degrees. 3…30.
  public let pitchRadius: Float
  /// How long the target takes for one radius of way. 0.1…5 s.
  public let glide: Interval
  /// How near the head must come to a waypoint. 0.1…0.38: below half the way between neighbours.
  public let capture: Float
  /// How long it stays there, and in two samples at least. 0…2 s.
  public let dwell: Interval
  /// How far the head may be from the drawn line. `capture`…1.
  public let corridor: Float
  /// How long it may be further away, on each leg. 0…5 s.
  public let stray: Interval
  /// The least time from the start of a leg to its waypoint: nobody goes there before they can see where it is. 0…2 s.
  public let shortestLeg: Interval
  /// The longest time for a leg beyond the target's own. 0.5…30 s.
  public let lag: Interval

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(
    yawRadius: Float = 18, pitchRadius: Float = 11, glide: Interval = .milliseconds(650), capture: Float = 0.36,
    dwell: Interval = .milliseconds(100), corridor: Float = 0.5, stray: Interval = .milliseconds(500),
    shortestLeg: Interval = .milliseconds(250), lag: Interval = .seconds(4)
  ) {
    guard (5...45).contains(yawRadius), (3...30).contains(pitchRadius),
      (Interval.milliseconds(100)...Interval.seconds(5)).contains(glide), (0.1...0.38).contains(capture),
      (Interval.zero...Interval.seconds(2)).contains(dwell), (capture...1).contains(corridor),
      (Interval.zero...Interval.seconds(5)).contains(stray),
      (Interval.zero...Interval.seconds(2)).contains(shortestLeg),
      (Interval.milliseconds(500)...Interval.seconds(30)).contains(lag)
    else { return nil }
    self.yawRadius = yawRadius
    self.pitchRadius = pitchRadius
    self.glide = glide
    self.capture = capture
    self.dwell = dwell
    self.corridor = corridor
    self.stray = stray
    self.shortestLeg = shortestLeg
    self.lag = lag
  }

  /// Easy: slow, small and patient; hard: quick and narrow.
  public static func standard(_ difficulty: TaskDifficulty) -> HeadPathSettings {
    let settings =
      switch difficulty {
      case .easy:
        HeadPathSettings(
          yawRadius: 16, pitchRadius: 10, glide: .milliseconds(850), capture: 0.38, corridor: 0.55,
          stray: .milliseconds(800), lag: .seconds(6))
      case .medium: HeadPathSettings()
      case .hard:
        HeadPathSettings(
          glide: .milliseconds(550), capture: 0.33, corridor: 0.45, stray: .milliseconds(350), lag: .seconds(3))
      }
    guard let settings else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }
}
