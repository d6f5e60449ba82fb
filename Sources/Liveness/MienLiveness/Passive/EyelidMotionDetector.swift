public import MienCore

/// Detects eyelids that do not move: measures the range of the closure of both eyes, counting only values that hold for two frames.
struct EyelidMotionDetector: Sendable {
  private let settings: EyelidSettings
  private var seen = 0
  private var last: Float?
  private var lastSeen: MonotonicInstant?
  /// Observed time in seconds: the sum of the intervals between consecutive usable frames.
  private var watched = 0.0
  private var lowest: Float = .infinity
  private var highest: Float = -.infinity

  init(_ settings: EyelidSettings) { self.settings = settings }

  mutating func process(_ features: FaceFeatures) {
    guard let closure = features.closure, abs(features.yaw) <= settings.largestAngle,
      abs(features.pitch) <= settings.largestAngle
    else { return interrupt() }
    seen += 1
    if let last, let lastSeen {
      watched += min(max(features.at.since(lastSeen).inSeconds, 0), 0.5)
      // A single frame may be a tracking error.
      highest = max(highest, min(closure, last))
      lowest = min(lowest, max(closure, last))
    }
    last = closure
    lastSeen = features.at
  }

  /// Marks that the next frame does not follow the last one.
  mutating func interrupt() { last = nil }

  /// Finding of the detector. Native measure: the range of the closure. Small values are suspect.
  var finding: Finding {
    let check = "eyelid-motion"
    guard seen >= settings.minimumFrames, highest >= lowest, watched >= settings.shortestWatch.inSeconds
    else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(seen)))
    }
    let threshold = settings.smallestSpan
    return ScoreCalibration(calm: min(1, 3 * threshold) + 0.01, threshold: threshold, worst: 0).finding(
      check, Double(highest - lowest), because: "eyelids-rigid", version: PassiveSettings.version, frames: seen)
  }
}

extension EyelidMotionDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&seen)
    coder.pass(&last)
    coder.pass(&lastSeen)
    coder.pass(&watched)
    coder.pass(&lowest)
    coder.pass(&highest)
  }
}

/// Expected eyelid movement of a live subject. The initializer validates every value.
public struct EyelidSettings: Hashable, Sendable {
  /// Range of eyelid closure (coefficient, 0…1) at or below which the eyes count as static, 0.01…0.9.
  public let smallestSpan: Double
  /// Degrees of yaw and pitch beyond which the coefficient is unreliable, 5…60.
  public let largestAngle: Float
  /// Minimum number of usable frames for an assessment, 10…1000.
  public let minimumFrames: Int
  /// Minimum time with usable frames for an assessment, 1…60 s. People blink every few seconds.
  public let shortestWatch: Interval

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    smallestSpan: Double = 0.03, largestAngle: Float = 25, minimumFrames: Int = 30,
    shortestWatch: Interval = .seconds(4)
  ) {
    guard (0.01...0.9).contains(smallestSpan), (5...60).contains(largestAngle), (10...1000).contains(minimumFrames),
      (Interval.seconds(1)...Interval.seconds(60)).contains(shortestWatch)
    else { return nil }
    self.smallestSpan = smallestSpan
    self.largestAngle = largestAngle
    self.minimumFrames = minimumFrames
    self.shortestWatch = shortestWatch
  }
}
