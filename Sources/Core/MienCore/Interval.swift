/// A duration in whole nanoseconds; may be negative.
public struct Interval: Hashable, Comparable, Sendable {
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Returns `seconds` as an interval; clamped to ±285 years, and zero for NaN.
  public static func seconds(_ seconds: Double) -> Interval {
    guard !seconds.isNaN else { return .zero }
    return Interval(nanoseconds: Int64((min(max(seconds, -9e9), 9e9) * 1e9).rounded()))
  }

  /// Returns `milliseconds` as an interval; clamped like ``seconds(_:)``.
  public static func milliseconds(_ milliseconds: Double) -> Interval { .seconds(milliseconds / 1000) }

  public static let zero = Interval(nanoseconds: 0)

  /// The interval in seconds.
  public var inSeconds: Double { Double(nanoseconds) / 1e9 }

  public static func < (left: Interval, right: Interval) -> Bool { left.nanoseconds < right.nanoseconds }
}
