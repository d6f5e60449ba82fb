public import MienCore

/// What counts as an answer. A value of this type is always sensible: the initialiser refuses nonsense.
public struct YesOrNoSettings: Hashable, Sendable {
  /// Degrees of roll away from the rest pose beyond which a head is tilted. 5…45.
  public let tilt: Float
  /// Degrees below which it is upright again. 1…, below `tilt`.
  public let upright: Float
  /// How long a tilt is held, and in two samples at least. 0…3 s.
  public let hold: Interval
  /// The least time from the question to a tilt: a person has to read first. 0…5 s.
  public let reading: Interval

  /// Refuses (nil) values outside the ranges that the properties document.
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

  /// Easy: a small tilt for a moment; hard: a clear one, held.
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
