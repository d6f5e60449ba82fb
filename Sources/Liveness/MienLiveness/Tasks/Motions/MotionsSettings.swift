public import MienCore

/// Settings for detecting and timing motions. The initializer validates every value.
public struct MotionsSettings: Hashable, Sendable {
  /// Pitch in degrees that a nod goes down, 4…45; the nod ends after rising by six tenths of it.
  public let nodDepth: Float
  /// Maximum duration of a nod or a mouth opening, 0.2…10 s.
  public let longestMotion: Interval
  /// `jawOpen` value from which a mouth is open, 0.05…1, and down to which it must fall to be closed again, below `mouthOpen`.
  public let mouthOpen: Float
  public let mouthClosed: Float
  /// Minimum duration of a mouth opening, 0…0.2 s: at most the minimum of `longestMotion`.
  public let shortestOpening: Interval
  public let blink: BlinkSettings
  /// Maximum time from the cue to the beginning of a motion that follows a pause. 0.3…20 s.
  public let response: Interval
  /// Maximum time to the beginning of a motion without a pause, from the display of the sequence or the beginning of the motion
  /// before it. 1…30 s.
  public let start: Interval
  /// Number of wrong or early nods and mouth openings that are ignored. Blinks that were not requested never count: people
  /// blink. 0…10.
  public let forgiven: Int

  /// Returns `nil` if a value is outside its documented range.
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

  /// Returns the settings for a difficulty. Easy: small motions and one tolerated mistake; hard: pronounced motions.
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

/// Small motion in a ``MotionsTask``.
public enum Motion: String, Hashable, Sendable, CaseIterable {
  case nod
  case blink
  /// Opening and closing the mouth.
  case mouth = "open-mouth"
  /// Closing both eyes for longer than a blink and opening them. Requested only from subjects who can move nothing but their eyelids:
  /// unlike a blink, it does not occur spontaneously.
  case closure = "close-eyes"

  var needs: AccessibilityProfile {
    switch self {
    case .nod: .neck
    case .blink, .closure: .eyelids
    case .mouth: .mouth
    }
  }
}
