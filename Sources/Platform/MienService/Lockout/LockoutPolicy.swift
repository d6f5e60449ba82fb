public import MienCore

/// When somebody who failed too often may try again. A value without a clock: it is told what happened and when.
///
/// Defaults as Amazon's guidance for Face Liveness has them: five failed checks in three minutes, then thirty minutes.
public struct LockoutPolicy: Hashable, Sendable {
  /// The failures that still count, oldest first; fewer than the limit.
  public private(set) var failures: [UnixTime]
  /// Until when no check is made; stays until it has passed.
  public private(set) var lockedUntil: UnixTime?

  /// A subject of whom nothing is known, or what a store kept of one.
  public init(failures: [UnixTime] = [], lockedUntil: UnixTime? = nil) {
    self.failures = failures
    self.lockedUntil = lockedUntil
  }

  /// A check ended. Passing makes earlier failures forgotten; it does not end a lockout that runs.
  public mutating func ended(passed: Bool, at time: UnixTime, _ settings: LockoutSettings) {
    if let until = lockedUntil {
      // Checks that were under way when it began change nothing.
      guard until <= time else { return }
      lockedUntil = nil
      failures = []
    }
    guard !passed else {
      failures = []
      return
    }
    let horizon = time.adding(Interval(nanoseconds: -settings.window.nanoseconds))
    failures = (failures.filter { $0 > horizon } + [time]).suffix(settings.failures)
    guard failures.count == settings.failures else { return }
    failures = []
    lockedUntil = time.adding(settings.duration)
  }

  /// How much of a lockout is left; nil when there is none.
  public func remaining(at time: UnixTime) -> Interval? {
    guard let lockedUntil, time < lockedUntil else { return nil }
    return .milliseconds(Double(lockedUntil.milliseconds - time.milliseconds))
  }

  /// From when on nothing of this is worth keeping; nil when nothing is now.
  public func expires(_ settings: LockoutSettings) -> UnixTime? {
    [lockedUntil, failures.last?.adding(settings.window)].compactMap { $0 }.max()
  }
}

/// When to lock out. A value of this type is always sensible: the initialiser refuses nonsense.
public struct LockoutSettings: Hashable, Sendable {
  /// Failed checks that lock out, 1…100.
  public let failures: Int
  /// Within how long, 1 s…1 day.
  public let window: Interval
  /// For how long, 1 s…30 days.
  public let duration: Interval

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(failures: Int = 5, window: Interval = .seconds(180), duration: Interval = .seconds(1800)) {
    guard (1...100).contains(failures), (Interval.seconds(1)...Interval.seconds(86_400)).contains(window),
      (Interval.seconds(1)...Interval.seconds(30 * 86_400)).contains(duration)
    else { return nil }
    self.failures = failures
    self.window = window
    self.duration = duration
  }

  /// The defaults.
  public static let standard: LockoutSettings = {
    guard let settings = LockoutSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
