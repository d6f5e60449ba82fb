public import MienModel

/// What the sender chose about a message's lock. A value of this type is always sensible: the initialiser refuses nonsense.
public struct LockRules: Hashable, Sendable {
  /// What happens when the attempts are used up.
  public enum Afterwards: Hashable, Sendable {
    /// Nobody may try again. Only in messages of earlier versions.
    case lockedForGood
    /// One more attempt after this time, then one more after twice of it, and so on up to ``LockRules/longestWait``.
    case growing(first: Interval)
  }

  /// How many wrong attempts there are, 1…100.
  public let attempts: Int
  public let afterwards: Afterwards
  /// How often it may be opened, 1…100; nil as often as anybody likes. 1 is burning after reading.
  public let views: Int?
  /// From when on it is not there any more, on the clock of the time of day whose origin is 1970-01-01T00:00:00Z.
  public let expires: Instant

  /// How many wrong attempts there are when nobody says.
  public static let standardAttempts = 10
  public static let attemptRange = 1...100
  public static let viewRange = 1...100
  /// What the first wait may be.
  public static let waitRange = Interval.seconds(10)...Interval.seconds(86_400)
  /// The first wait when nobody says.
  public static let standardWait = Interval.seconds(3600)
  /// No wait is longer.
  public static let longestWait = Interval.seconds(86_400)

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(
    attempts: Int = standardAttempts, afterwards: Afterwards = .lockedForGood, views: Int? = nil, expires: Instant
  ) {
    guard Self.attemptRange.contains(attempts), views.map(Self.viewRange.contains) != false else { return nil }
    if case .growing(let first) = afterwards, !Self.waitRange.contains(first) { return nil }
    self.attempts = attempts
    self.afterwards = afterwards
    self.views = views
    self.expires = expires
  }

  /// How long to wait after this many attempts; nil while there are some left, or when there is no end to it.
  func wait(after count: Int) -> Interval? {
    guard case .growing(let first) = afterwards, count >= attempts else { return nil }
    let doublings = min(count - attempts, 32)
    let (product, overflow) = first.nanoseconds.multipliedReportingOverflow(by: 1 << Int64(doublings))
    return overflow ? Self.longestWait : min(Interval(nanoseconds: product), Self.longestWait)
  }
}
