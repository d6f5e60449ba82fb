public import MienCore

/// Task to blink a number of times.
public struct BlinkTask: Hashable, Sendable {
  /// Number of blinks, 1…20; `maxBlinks` in the public API.
  public let blinks: Int
  public let difficulty: TaskDifficulty
  public let settings: BlinkSettings
  /// Time limit, 1…300 s.
  public let timeout: Interval
  /// Number of counts this one was chosen from; 1 for a fixed count.
  let choices: Int

  /// Creates a task with a fixed number of blinks.
  ///
  /// - Throws: ``TaskError`` with the option `maxBlinks` or `timeout` if one is out of range.
  public init(
    blinks: Int = 5, difficulty: TaskDifficulty = .medium, settings: BlinkSettings? = nil, timeout: Interval? = nil
  ) throws(TaskError) {
    try self.init(blinks: blinks, choices: 1, difficulty, settings, timeout)
  }

  /// Returns a task with a random number of blinks from 2 (1 if `maxBlinks` is 1) up to `maxBlinks`.
  public static func random(
    maxBlinks: Int = 5, difficulty: TaskDifficulty = .medium, timeout: Interval? = nil,
    using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> BlinkTask {
    guard (1...20).contains(maxBlinks) else { throw TaskError(.outOfRange, "maxBlinks") }
    let range = min(2, maxBlinks)...maxBlinks
    return try BlinkTask(
      blinks: Int.random(in: range, using: &generator), choices: range.count, difficulty, nil, timeout)
  }

  private init(
    blinks: Int, choices: Int, _ difficulty: TaskDifficulty, _ settings: BlinkSettings?, _ timeout: Interval?
  ) throws(TaskError) {
    guard (1...20).contains(blinks) else { throw TaskError(.outOfRange, "maxBlinks") }
    self.blinks = blinks
    self.choices = choices
    self.difficulty = difficulty
    self.settings = settings ?? .standard(difficulty)
    self.timeout = try TaskTimeout.checked(timeout, else: .seconds(10 + 2 * Double(blinks)))
  }
}

/// Settings for detecting blinks. The initializer validates every value.
///
/// Eye coefficients vary between people and decrease with a lowered gaze, so no value here is an absolute level: each eye is measured
/// relative to its own open level, its recent minimum.
public struct BlinkSettings: Hashable, Sendable {
  /// Minimum rise of the mean of both eyes above their open levels for a closure, 0.05…0.9.
  public let closingRise: Float
  /// Minimum rise of each eye, 0…`closingRise`, so that a wink does not count as a blink.
  public let eachEyeRise: Float
  /// Fraction of its highest rise to which a closure must fall to end, 0.1…0.9; together with `closingRise` this is the hysteresis.
  public let openingShare: Float
  /// Maximum duration of a blink, 0.1…3 s.
  public let longestClosure: Interval
  /// Minimum time from the end of a blink to the start of the next, 0…1 s.
  public let shortestPause: Interval
  /// Maximum rise of an open level per second if an eye does not return to it because the gaze was lowered, 0.01…2.
  public let openLevelDrift: Float
  /// Maximum difference between the rises of the two eyes in one sample, 0.1…1.5. Beyond it the sample counts as inconsistent.
  public let largestDifference: Float
  /// Fraction of inconsistent samples above which the movement is rejected, evaluated from ten samples on, 0…1.
  public let differenceShare: Float

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    closingRise: Float = 0.22, eachEyeRise: Float = 0.15, openingShare: Float = 0.5,
    longestClosure: Interval = .milliseconds(800), shortestPause: Interval = .milliseconds(100),
    openLevelDrift: Float = 0.15, largestDifference: Float = 0.35, differenceShare: Float = 0.2
  ) {
    guard (0.05...0.9).contains(closingRise), (0...closingRise).contains(eachEyeRise),
      (0.1...0.9).contains(openingShare),
      (Interval.milliseconds(100)...Interval.seconds(3)).contains(longestClosure),
      (Interval.zero...Interval.seconds(1)).contains(shortestPause), (0.01...2).contains(openLevelDrift),
      (0.1...1.5).contains(largestDifference), (0...1).contains(differenceShare)
    else { return nil }
    self.closingRise = closingRise
    self.eachEyeRise = eachEyeRise
    self.openingShare = openingShare
    self.longestClosure = longestClosure
    self.shortestPause = shortestPause
    self.openLevelDrift = openLevelDrift
    self.largestDifference = largestDifference
    self.differenceShare = differenceShare
  }

  /// Returns the settings for a difficulty. Easy accepts shallower and longer closures; hard requires deeper and shorter ones.
  public static func standard(_ difficulty: TaskDifficulty) -> BlinkSettings {
    let settings =
      switch difficulty {
      case .easy:
        BlinkSettings(closingRise: 0.2, eachEyeRise: 0.12, longestClosure: .milliseconds(1000))
      case .medium: BlinkSettings()
      case .hard: BlinkSettings(closingRise: 0.28, eachEyeRise: 0.2, longestClosure: .milliseconds(700))
      }
    guard let settings else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }
}

/// Counts the blinks of a ``BlinkTask``.
struct BlinkTracker: Hashable, Sendable {
  /// Maximum yaw, pitch, or roll in degrees from the rest pose at which the eyes are evaluated. Beyond it the eye coefficients follow the
  /// head.
  static let judgedWithin: Float = 20

  let asked: Int
  private(set) var done = 0
  private let settings: BlinkSettings
  private var counter = BlinkDetector()

  init(_ task: BlinkTask) {
    asked = task.blinks
    settings = task.settings
  }

  mutating func process(_ sample: TrackerSample, _ events: inout TaskEventLog) -> TrackerUpdate {
    let pose = sample.pose
    guard abs(pose.x) <= Self.judgedWithin, !(abs(pose.y) > Self.judgedWithin), !(abs(pose.z) > Self.judgedWithin)
    else {
      counter.remove(sample.eyes, at: sample.at)
      return .going
    }
    let blink = counter.process(sample.eyes, at: sample.at, settings)
    if counter.isNoPairOfEyes(settings) { return .failed(.wrongMovement) }
    guard let blink, !blink.isLong else { return .going }
    done += 1
    events.add(.motion(.blink), at: sample.at)
    return done == asked ? .done : .going
  }

  var progress: Float { Float(done) / Float(asked) }
}

extension BlinkTracker: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&done)
    coder.pass(&counter)
  }
}
