public import MienCore

/// A message's lock: how often it was tried and opened, and whether it still can be.
///
/// A value without a clock: it is told when. An attempt is counted by ``count(at:)`` before anything is tried; when it was
/// the right one, ``opened(by:at:)`` gives it back and takes a view. A store keeps what each of them changed before anybody
/// acts on it, so that whatever dies in between, the count stands.
public struct UnlockPolicyState: Hashable, Sendable {
  /// Why there is nothing to open any more. It is final.
  public enum End: String, Hashable, Sendable, CaseIterable {
    /// Opened as often as the sender allowed.
    case read
    case expired
    /// By the sender.
    case deleted
  }

  /// Whether it can be tried.
  public enum Standing: Hashable, Sendable {
    /// So many attempts are left. Next: itself, waiting, lockedForGood, over.
    case ready(attemptsLeft: Int)
    /// None before this time. Next: ready, over.
    case waiting(until: MonotonicInstant)
    /// The attempts are used up. Next: over; ready, when the last attempt turns out to be the right one.
    case lockedForGood
    /// Final.
    case over(End)
  }

  /// An attempt that was counted, and may be tried once.
  public struct Attempt: Hashable, Sendable {
    /// From 1.
    public let number: Int
    /// How many are left after it.
    public let left: Int
  }

  public enum Counted: Hashable, Sendable {
    case counted(Attempt)
    /// Nothing was counted and nothing may be tried.
    case refused(Standing)
  }

  public enum Opening: Hashable, Sendable {
    /// It may be shown; nil views are without end.
    case shown(viewsLeft: Int?)
    /// It ended since the attempt was counted.
    case over(End)
  }

  public let rules: UnlockPolicy
  /// Attempts that were not given back.
  public private(set) var attempts: Int
  /// How often it was opened.
  public private(set) var views: Int
  /// No attempt before this time.
  public private(set) var lockedUntil: MonotonicInstant?
  public private(set) var end: End?

  /// A new lock, or what a store kept of one; refuses (nil) what no lock can have come to.
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
    if attempts < rules.attempts { return .ready(attemptsLeft: rules.attempts - attempts) }
    guard let wait = rules.wait(after: attempts) else { return .lockedForGood }
    // A clock that was put back must not make a wait longer than it was.
    if let lockedUntil, now < lockedUntil { return .waiting(until: min(lockedUntil, now + wait)) }
    return .ready(attemptsLeft: 1)
  }

  /// Counts an attempt, before it is tried.
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

  /// The attempt was the right one: it costs nothing but a view.
  public mutating func opened(by attempt: Attempt, at now: MonotonicInstant) -> Opening {
    expire(at: now)
    if let end { return .over(end) }
    // Another attempt may have been counted meanwhile; the wait is that one's then.
    if attempts == attempt.number { lockedUntil = nil }
    attempts = max(0, attempts - 1)
    views += 1
    guard let limit = rules.views else { return .shown(viewsLeft: nil) }
    if views >= limit { end = .read }
    return .shown(viewsLeft: max(0, limit - views))
  }

  /// Ends it for the sender, who may do so at any time.
  public mutating func delete() {
    if end == nil { end = .deleted }
  }

  /// Notices that its time is over. Once noticed it stays, whatever the clock says later.
  public mutating func expire(at now: MonotonicInstant) {
    if end == nil, now >= rules.expires { end = .expired }
  }
}
