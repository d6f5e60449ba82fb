public import MienCore

/// Unlock limits that the sender chose for a message. The initializer validates every value.
public struct UnlockPolicy: Hashable, Sendable {
  /// Allowed number of wrong attempts, 1…100.
  public let attempts: Int
  /// Wait before one more attempt after all are used up; then one more after twice the time, and so on up to
  /// ``longestWait``.
  public let firstWait: Interval
  /// Maximum number of views, 1…100; `nil` for no limit. 1 deletes the message after it is read.
  public let views: Int?
  /// Expiration instant on a wall clock whose origin is 1970-01-01T00:00:00Z.
  public let expires: MonotonicInstant

  /// Default number of wrong attempts.
  public static let standardAttempts = 10
  public static let attemptRange = 1...100
  public static let viewRange = 1...100
  /// Valid range of the first wait.
  public static let waitRange = Interval.seconds(10)...Interval.seconds(86_400)
  /// Default first wait.
  public static let standardWait = Interval.seconds(3600)
  /// Maximum wait.
  public static let longestWait = Interval.seconds(86_400)

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    attempts: Int = standardAttempts, firstWait: Interval = standardWait, views: Int? = nil, expires: MonotonicInstant
  ) {
    guard Self.attemptRange.contains(attempts), Self.waitRange.contains(firstWait),
      views.map(Self.viewRange.contains) != false
    else { return nil }
    self.attempts = attempts
    self.firstWait = firstWait
    self.views = views
    self.expires = expires
  }

  /// Returns the wait after this many attempts, or `nil` while attempts remain.
  func wait(after count: Int) -> Interval? {
    guard count >= attempts else { return nil }
    let doublings = min(count - attempts, 32)
    let (product, overflow) = firstWait.nanoseconds.multipliedReportingOverflow(by: 1 << Int64(doublings))
    return overflow ? Self.longestWait : min(Interval(nanoseconds: product), Self.longestWait)
  }
}
