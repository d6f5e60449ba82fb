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

/// Unlock state of a message: the number of attempts and views, and whether it can still be opened.
///
/// A value type without a clock: callers supply timestamps. ``count(at:)`` counts an attempt before decryption is tried; if the attempt
/// is correct, ``opened(by:at:)`` refunds it and counts a view. The caller must persist the result of each call before acting on it, so
/// that the count survives a crash.
public struct UnlockPolicyState: Hashable, Sendable {
  /// Reason the message can no longer be opened. Final.
  public enum End: String, Hashable, Sendable, CaseIterable {
    /// The message was opened as often as the sender allowed.
    case read
    case expired
    /// The sender deleted the message.
    case deleted
  }

  /// Availability of further attempts.
  public enum Standing: Hashable, Sendable {
    /// The given number of attempts remain. Next states: ready, waiting, over.
    case ready(attemptsLeft: Int)
    /// The attempts are used up; the next one is allowed at this instant. Next states: ready, over.
    case waiting(until: MonotonicInstant)
    /// The message can no longer be opened. Final.
    case over(End)
  }

  /// Counted attempt that permits one decryption.
  public struct Attempt: Hashable, Sendable {
    /// One-based number of the attempt.
    public let number: Int
    /// Number of attempts left after this one.
    public let left: Int
  }

  public enum Counted: Hashable, Sendable {
    case counted(Attempt)
    /// Nothing was counted, and no decryption is permitted.
    case refused(Standing)
  }

  public enum Opening: Hashable, Sendable {
    /// The text may be shown; `nil` means unlimited views.
    case shown(viewsLeft: Int?)
    /// The message expired or was deleted after the attempt was counted.
    case over(End)
  }

  public let rules: UnlockPolicy
  /// Number of attempts that were not refunded.
  public private(set) var attempts: Int
  /// Number of views.
  public private(set) var views: Int
  /// Instant before which no attempt is allowed.
  public private(set) var lockedUntil: MonotonicInstant?
  public private(set) var end: End?

  /// Creates a new state, or restores one from a store. Returns `nil` for impossible values.
  public init?(
    rules: UnlockPolicy, attempts: Int = 0, views: Int = 0, lockedUntil: MonotonicInstant? = nil, end: End? = nil
  ) {
    guard attempts >= 0, views >= 0, rules.views.map({ views <= $0 }) != false else { return nil }
    self.rules = rules
    self.attempts = attempts
    self.views = views
    self.lockedUntil = lockedUntil
    self.end = end
  }

  public func standing(at now: MonotonicInstant) -> Standing {
    if let end { return .over(end) }
    guard now < rules.expires else { return .over(.expired) }
    guard let wait = rules.wait(after: attempts) else { return .ready(attemptsLeft: rules.attempts - attempts) }
    // A clock that was set back must not extend a wait.
    if let lockedUntil, now < lockedUntil { return .waiting(until: min(lockedUntil, now + wait)) }
    return .ready(attemptsLeft: 1)
  }

  /// Counts an attempt before it is tried.
  public mutating func count(at now: MonotonicInstant) -> Counted {
    expire(at: now)
    let standing = standing(at: now)
    guard case .ready = standing else {
      if case .waiting(let until) = standing { lockedUntil = until }
      return .refused(standing)
    }
    attempts += 1
    lockedUntil = rules.wait(after: attempts).map { now + $0 }
    return .counted(Attempt(number: attempts, left: max(0, rules.attempts - attempts)))
  }

  /// Records a correct attempt: refunds the attempt and counts a view.
  public mutating func opened(by attempt: Attempt, at now: MonotonicInstant) -> Opening {
    expire(at: now)
    if let end { return .over(end) }
    // Another attempt may have been counted meanwhile; the wait then belongs to that attempt.
    if attempts == attempt.number { lockedUntil = nil }
    attempts = max(0, attempts - 1)
    views += 1
    guard let limit = rules.views else { return .shown(viewsLeft: nil) }
    if views >= limit { end = .read }
    return .shown(viewsLeft: max(0, limit - views))
  }

  /// Deletes the message at the sender's request, at any time.
  public mutating func delete() {
    if end == nil { end = .deleted }
  }

  /// Marks the message as expired after its time. The mark is permanent, regardless of later clock values.
  public mutating func expire(at now: MonotonicInstant) {
    if end == nil, now >= rules.expires { end = .expired }
  }
}
