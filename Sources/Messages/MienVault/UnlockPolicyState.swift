public import MienCore

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
    /// The given number of attempts remain. Next: itself, waiting, over.
    case ready(attemptsLeft: Int)
    /// The attempts are used up; the next one is allowed at this instant. Next: ready, over.
    case waiting(until: MonotonicInstant)
    /// Final.
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
