public import MienCore

/// Settings for displaying and evaluating a head path. The initializer validates every value.
///
/// The waypoints lie on an ellipse around the rest pose. Distances are in units of its radii: one radius is `yawRadius` degrees sideways
/// or `pitchRadius` degrees up or down, and neighboring waypoints are 0.77 apart.
public struct HeadPathSettings: Hashable, Sendable {
  /// Horizontal radius of the ellipse in degrees, 5…45.
  public let yawRadius: Float
  /// Vertical radius of the ellipse in degrees, 3…30.
  public let pitchRadius: Float
  /// Time in which the target travels one radius, 0.1…5 s.
  public let glide: Interval
  /// Maximum distance at which a waypoint counts as reached, 0.1…0.38: less than half the distance between neighbors.
  public let capture: Float
  /// Time the head must stay at a waypoint, in at least two samples, 0…2 s.
  public let dwell: Interval
  /// Maximum distance from the drawn line, `capture`…1.
  public let corridor: Float
  /// Tolerated time beyond the corridor on each leg, 0…5 s.
  public let stray: Interval
  /// Minimum time from the start of a leg to its waypoint, 0…2 s: no one can reach a waypoint before seeing it.
  public let shortestLeg: Interval
  /// Maximum time for a leg beyond the target's own travel time, 0.5…30 s.
  public let lag: Interval

  /// Returns `nil` if a value is outside its documented range.
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

  /// Returns the settings for a difficulty. Easy: slow, small, and tolerant; hard: fast and narrow.
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
