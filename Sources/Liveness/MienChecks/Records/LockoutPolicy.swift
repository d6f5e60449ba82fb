public import MienPlatform
public import MienCore

/// Lockout state of a subject after failed checks. Has no clock: events and their times are passed in.
///
/// The defaults follow Amazon's guidance for Face Liveness: a lockout of thirty minutes after five failed checks in
/// three minutes.
public struct LockoutPolicy: Hashable, Sendable {
  /// Failures that still count, oldest first; fewer than the limit.
  public private(set) var failures: [UnixTime]
  /// Time until which no check is accepted; reset by the first check that ends after it.
  public private(set) var lockedUntil: UnixTime?

  /// Creates the state of a subject without failures, or restores a stored one.
  public init(failures: [UnixTime] = [], lockedUntil: UnixTime? = nil) {
    self.failures = failures
    self.lockedUntil = lockedUntil
  }

  /// Updates the state when a check ends. Passing a check clears earlier failures but does not end a current lockout.
  public mutating func ended(passed: Bool, at time: UnixTime, _ settings: LockoutSettings) {
    if lockedUntil != nil {
      // Checks that were in progress when the lockout began change nothing.
      guard remaining(at: time, settings) == nil else { return }
      lockedUntil = nil
      failures = []
    }
    guard !passed else {
      failures = []
      return
    }
    let horizon = time.adding(Interval(nanoseconds: -settings.window.nanoseconds))
    failures = (failures.filter { $0 > horizon && $0 <= time } + [time]).suffix(settings.failures)
    guard failures.count == settings.failures else { return }
    failures = []
    lockedUntil = time.adding(settings.duration)
  }

  /// Returns the remaining time of a lockout; `nil` if there is none.
  public func remaining(at time: UnixTime, _ settings: LockoutSettings) -> Interval? {
    guard let lockedUntil, time < lockedUntil else { return nil }
    let remaining = Interval.milliseconds(Double(lockedUntil.milliseconds - time.milliseconds))
    // A longer one began before the clock was set back, which must not extend it.
    return remaining <= settings.duration ? remaining : nil
  }

  /// Returns the time from which the state has no effect and can be deleted; `nil` if it has no effect now.
  public func expires(_ settings: LockoutSettings) -> UnixTime? {
    [lockedUntil, failures.last?.adding(settings.window)].compactMap { $0 }.max()
  }
}

/// Rules of the lockout.
public struct LockoutSettings: Hashable, Sendable {
  /// Number of failed checks that cause a lockout, 1…100.
  public let failures: Int
  /// Period within which the failures count, 1 s…1 day.
  public let window: Interval
  /// Duration of the lockout, 1 s…30 days.
  public let duration: Interval

  /// Returns `nil` if a value is outside the range documented for its property.
  public init?(failures: Int = 5, window: Interval = .seconds(180), duration: Interval = .seconds(1800)) {
    guard (1...100).contains(failures), (Interval.seconds(1)...Interval.seconds(86_400)).contains(window),
      (Interval.seconds(1)...Interval.seconds(30 * 86_400)).contains(duration)
    else { return nil }
    self.failures = failures
    self.window = window
    self.duration = duration
  }

  /// Default rules.
  public static let standard: LockoutSettings = {
    guard let settings = LockoutSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
