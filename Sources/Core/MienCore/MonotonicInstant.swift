/// A point in time on a session's own clock: whole nanoseconds since an origin chosen by the clock's owner.
///
/// Instants of different clocks must not be compared; a state machine only ever receives instants of one clock. Range:
/// about ±292 years. Arithmetic saturates at the ends, so that a hostile timestamp cannot trap.
public struct MonotonicInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the clock's origin.
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The clock's origin.
  public static let zero = MonotonicInstant(nanoseconds: 0)

  /// Creates the instant `seconds` after the origin; `nil` if `seconds` is not finite or out of range.
  public init?(seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 9e9 else { return nil }
    self.nanoseconds = Int64((seconds * 1e9).rounded())
  }

  /// Seconds since the origin.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Returns the interval from `other` to this instant.
  public func since(_ other: MonotonicInstant) -> Interval {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return Interval(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : difference)
  }

  public static func + (instant: MonotonicInstant, interval: Interval) -> MonotonicInstant {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(interval.nanoseconds)
    return MonotonicInstant(nanoseconds: overflow ? (interval.nanoseconds < 0 ? .min : .max) : sum)
  }

  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

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
