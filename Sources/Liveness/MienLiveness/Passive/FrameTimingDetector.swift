public import MienCore

/// Watches when frames arrive: intervals that repeat to the microsecond, bursts, and steps back in time.
///
/// It is for instants that the receiver's own clock gave. Times from a file or from a client say what was written.
public struct FrameTimingDetector: Sendable {
  private let settings: FrameTimingSettings
  private var last: MonotonicInstant?
  private var lastInterval: Interval?
  private var intervals = 0
  private var equal = 0
  private var bursts = 0
  private var backwards = 0

  /// A watch that has seen nothing.
  public init(_ settings: FrameTimingSettings) { self.settings = settings }

  /// Takes the next frame's arrival.
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

  /// Native measure: the largest of the share of equal intervals, the share of bursts (scaled by the ratio of the
  /// thresholds), and 1 when time ran backwards.
  public var finding: Finding {
    let check = "frame-timing"
    guard intervals >= settings.minimumIntervals else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(intervals)))
    }
    let count = Double(intervals)
    let threshold = settings.largestEqualShare
    var (native, reason) = (Double(equal) / (count - 1), "constant-intervals")
    let burst = Double(bursts) / count * threshold / settings.largestBurstShare
    // A burst of nothing but zero intervals is constant too; the burst is the plainer word for it.
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
