public import MienCore

/// Detects implausible frame arrival times: intervals that repeat to the microsecond, bursts, and timestamps that go backward.
///
/// Use it only with instants of the receiver's own clock. Times in a file or from a client are not evidence.
public struct FrameTimingDetector: Sendable {
  private let settings: FrameTimingSettings
  private var last: MonotonicInstant?
  private var lastInterval: Interval?
  private var intervals = 0
  private var equal = 0
  private var bursts = 0
  private var backwards = 0

  /// Creates a detector without observations.
  public init(_ settings: FrameTimingSettings) { self.settings = settings }

  /// Processes the arrival of the next frame.
  public mutating func process(_ at: MonotonicInstant) {
    guard let previous = last else {
      last = at
      return
    }
    last = at
    let interval = at.since(previous)
    intervals += 1
    if interval < .zero { backwards += 1 }
    if interval >= .zero, interval < settings.burst { bursts += 1 }
    if let before = lastInterval {
      let (change, overflow) = interval.nanoseconds.subtractingReportingOverflow(before.nanoseconds)
      if !overflow, change.magnitude <= settings.equality.nanoseconds.magnitude { equal += 1 }
    }
    lastInterval = interval
  }

  /// Finding of the detector. Native measure: the largest of the fraction of equal intervals, the fraction of bursts (scaled by the ratio
  /// of the thresholds), and 1 if time went backward.
  public var finding: Finding {
    let check = "frame-timing"
    guard intervals >= settings.minimumIntervals else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(intervals)))
    }
    let count = Double(intervals)
    let threshold = settings.largestEqualShare
    var (native, reason) = (Double(equal) / (count - 1), "constant-intervals")
    let burst = Double(bursts) / count * threshold / settings.largestBurstShare
    // A burst that consists only of zero intervals is also constant; `impossible-burst` is the clearer reason.
    if bursts > 0, burst >= native || Double(bursts) / count >= settings.largestBurstShare {
      (native, reason) = (max(burst, native), "impossible-burst")
    }
    if backwards > 0 { (native, reason) = (1, "time-ran-backwards") }
    return ScoreCalibration(calm: 0, threshold: threshold, worst: max(1, threshold + 0.01)).finding(
      check, native, because: reason, version: PassiveSettings.version, frames: intervals)
  }
}

extension FrameTimingDetector: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&last)
    coder.pass(&lastInterval)
    coder.pass(&intervals)
    coder.pass(&equal)
    coder.pass(&bursts)
    coder.pass(&backwards)
  }
}

/// Limits for plausible frame arrival times. The initializer validates every value.
public struct FrameTimingSettings: Hashable, Sendable {
  /// Maximum difference between two consecutive intervals that count as equal, 0…100 µs.
  public let equality: Interval
  /// Fraction of equal intervals from which the timing is suspect, 0.05…1.
  public let largestEqualShare: Double
  /// Interval below which frames belong to a burst, 0.1…20 ms.
  public let burst: Interval
  /// Fraction of burst intervals from which the timing is suspect, 0.1…1. A stalled network also causes a few.
  public let largestBurstShare: Double
  /// Minimum number of intervals for an assessment, 8…1000.
  public let minimumIntervals: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    equality: Interval = Interval(nanoseconds: 1000), largestEqualShare: Double = 0.5,
    burst: Interval = .milliseconds(2), largestBurstShare: Double = 0.7, minimumIntervals: Int = 20
  ) {
    guard (Interval.zero...Interval(nanoseconds: 100_000)).contains(equality),
      (0.05...1).contains(largestEqualShare), (Interval.milliseconds(0.1)...Interval.milliseconds(20)).contains(burst),
      (0.1...1).contains(largestBurstShare), (8...1000).contains(minimumIntervals)
    else { return nil }
    self.equality = equality
    self.largestEqualShare = largestEqualShare
    self.burst = burst
    self.largestBurstShare = largestBurstShare
    self.minimumIntervals = minimumIntervals
  }
}
