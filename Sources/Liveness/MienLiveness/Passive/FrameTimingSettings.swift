public import MienCore

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
