public import MienCore

/// Settings for detecting an answer. The initializer validates every value.
public struct YesOrNoSettings: Hashable, Sendable {
  /// Degrees of roll from the rest pose beyond which a head is tilted, 5…45.
  public let tilt: Float
  /// Degrees of roll below which the head is upright again. At least 1, below `tilt`.
  public let upright: Float
  /// Time for which a tilt must be held, in at least two samples, 0…3 s.
  public let hold: Interval
  /// Minimum time from the question to a tilt, for reading the question, 0…5 s.
  public let reading: Interval

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    tilt: Float = 14, upright: Float = 6, hold: Interval = .milliseconds(200),
    reading: Interval = .milliseconds(250)
  ) {
    guard (5...45).contains(tilt), upright >= 1, upright < tilt,
      (Interval.zero...Interval.seconds(3)).contains(hold),
      (Interval.zero...Interval.seconds(5)).contains(reading)
    else { return nil }
    self.tilt = tilt
    self.upright = upright
    self.hold = hold
    self.reading = reading
  }

  /// Returns the settings for a difficulty. Easy: a small, short tilt; hard: a pronounced, longer one.
  public static func standard(_ difficulty: TaskDifficulty) -> YesOrNoSettings {
    let settings =
      switch difficulty {
      case .easy: YesOrNoSettings(tilt: 11, upright: 6, hold: .milliseconds(120))
      case .medium: YesOrNoSettings()
      case .hard: YesOrNoSettings(tilt: 17, upright: 5, hold: .milliseconds(350))
      }
    guard let settings else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }
}
