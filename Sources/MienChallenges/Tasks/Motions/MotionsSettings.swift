public import MienModel

/// What counts as a motion, and when. A value of this type is always sensible: the initialiser refuses nonsense.
public struct MotionsSettings: Hashable, Sendable {
  /// Degrees of pitch that a nod goes down; it comes back by six tenths of that. 4…45.
  public let nodDepth: Float
  /// The longest nod, and the longest mouth opening that still is one. 0.2…10 s.
  public let longestMotion: Interval
  /// `jawOpen` beyond which a mouth is open, and below which it is closed again. 0.05…1; closed below open.
  public let mouthOpen: Float
  public let mouthClosed: Float
  /// The shortest mouth opening, from open to closed. 0…0.2 s: below the shortest `longestMotion`.
  public let shortestOpening: Interval
  public let blink: BlinkSettings
  /// How long after its cue a motion with a pause before it may begin. 0.3…20 s.
  public let response: Interval
  /// How long after the sequence is shown, or after the motion before it began, a motion without a pause may begin. 1…30 s.
  public let start: Interval
  /// How many wrong or too early nods and mouth openings are forgiven. Blinks that were not asked never count: people
  /// blink. 0…10.
  public let forgiven: Int

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(
    nodDepth: Float = 10, longestMotion: Interval = .seconds(2), mouthOpen: Float = 0.35, mouthClosed: Float = 0.2,
    shortestOpening: Interval = .milliseconds(80), blink: BlinkSettings = .standard(.medium),
    response: Interval = .milliseconds(2400), start: Interval = .seconds(8),
    forgiven: Int = 0
  ) {
    guard (4...45).contains(nodDepth),
      (Interval.milliseconds(200)...Interval.seconds(10)).contains(longestMotion),
      (0.05...1).contains(mouthOpen), mouthClosed >= 0, mouthClosed < mouthOpen,
      (Interval.zero...Interval.milliseconds(200)).contains(shortestOpening),
      (Interval.milliseconds(300)...Interval.seconds(20)).contains(response),
      (Interval.seconds(1)...Interval.seconds(30)).contains(start), (0...10).contains(forgiven)
    else { return nil }
    self.nodDepth = nodDepth
    self.longestMotion = longestMotion
    self.mouthOpen = mouthOpen
    self.mouthClosed = mouthClosed
    self.shortestOpening = shortestOpening
    self.blink = blink
    self.response = response
    self.start = start
    self.forgiven = forgiven
  }

  /// Easy: small motions and one mistake forgiven; hard: clear ones.
  public static func standard(_ difficulty: TaskDifficulty) -> MotionsSettings {
    let settings =
      switch difficulty {
      case .easy:
        MotionsSettings(
          nodDepth: 8, mouthOpen: 0.28, mouthClosed: 0.16, blink: .standard(.easy), start: .seconds(12),
          forgiven: 1)
      case .medium: MotionsSettings()
      case .hard: MotionsSettings(nodDepth: 12, mouthOpen: 0.42, blink: .standard(.hard))
      }
    guard let settings else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }

  /// The same motions with more time to begin each, for people who cannot do every task.
  var unhurried: MotionsSettings {
    guard
      let settings = MotionsSettings(
        nodDepth: nodDepth, longestMotion: longestMotion, mouthOpen: mouthOpen, mouthClosed: mouthClosed,
        shortestOpening: shortestOpening, blink: blink, response: response, start: .seconds(15), forgiven: forgiven)
    else { preconditionFailure("the other values were in their ranges already") }
    return settings
  }
}
