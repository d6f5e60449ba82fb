public import MienCore

/// Which arrival times no camera and network make. A value of this type is always sensible.
public struct FrameTimingSettings: Hashable, Sendable {
  /// Two intervals in a row that differ by no more than this count as equal. 0…100 µs.
  public let equality: Interval
  /// Share of equal intervals from which the timing is suspect. 0.05…1.
  public let largestEqualShare: Double
  /// An interval shorter than this belongs to a burst. 0.1…20 ms.
  public let burst: Interval
  /// Share of burst intervals from which the timing is suspect: a network that stalls also makes a few. 0.1…1.
  public let largestBurstShare: Double
  /// Fewer intervals are not assessed. 8…1000.
  public let minimumIntervals: Int

  /// Refuses (nil) values outside the ranges that the properties document.
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
