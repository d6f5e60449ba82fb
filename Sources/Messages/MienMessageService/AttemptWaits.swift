internal import MienCore
public import MienPlatform

/// Wait of one address at one message after wrong attempts, as stored.
public struct AttemptWait: Hashable, Sendable {
  /// Number of wrong attempts in a row; at least 1.
  public var attempts: Int
  /// Time of the next attempt.
  public var until: UnixTime

  public init(attempts: Int, until: UnixTime) {
    self.attempts = attempts
    self.until = until
  }
}

/// Stores the waits after wrong attempts, for all servers of a database.
///
/// Changes survive a crash of the process once the method that made them has returned.
public protocol AttemptWaitStore: Sendable {
  /// Returns the wait with this digest; `nil` if there is none.
  func wait(of digest: SecretDigest) async throws -> AttemptWait?
  /// Changes a wait, or deletes it if it is `nil` afterwards, in one transaction, which no other change of it overlaps.
  func changeWait<Outcome: Sendable>(
    of digest: SecretDigest, _ change: @Sendable @escaping (inout AttemptWait?) -> Outcome
  ) async throws -> Outcome
  /// Deletes up to `limit` waits that ended before `earliest` or end after `latest`; returns how many.
  func purgeWaits(before earliest: UnixTime, after latest: UnixTime, limit: Int) async throws -> Int
}

/// Lengths of the waits after wrong attempts: the first wrong attempt starts one, and each further wait is twice as
/// long.
///
/// An attempt counts as wrong before it is evaluated, so that of many concurrent ones, one is evaluated; the right one
/// deletes its wait.
struct AttemptWaits: Sendable {
  private let first: Interval
  /// Maximum length of a wait, and time without an attempt after which the next wait is the first again.
  private let longest: Interval

  init(first: Interval, longest: Interval = .seconds(3600)) {
    precondition(first > .zero && first <= longest)
    self.first = first
    self.longest = longest
  }

  /// Returns the time until the next attempt; `nil` if one is allowed now.
  func remaining(of wait: AttemptWait?, at now: UnixTime) -> Interval? {
    guard let wait else { return nil }
    let remaining = Interval.milliseconds(Double(wait.until.milliseconds - now.milliseconds))
    // A longer wait was stored before the clock was set back.
    return remaining > .zero && remaining <= longest ? remaining : nil
  }

  /// Counts an attempt as a wrong one, unless it comes too early.
  ///
  /// - Returns: `nil` if it may be evaluated, or the time until the next attempt.
  func begin(_ wait: inout AttemptWait?, at now: UnixTime) -> Interval? {
    if let remaining = remaining(of: wait, at: now) { return remaining }
    var attempts = 1
    if let wait, wait.until <= now, now < wait.until.adding(longest) { attempts = wait.attempts + 1 }
    let doubled = first.inSeconds * Double(1 << min(attempts - 1, 40))
    wait = AttemptWait(attempts: attempts, until: now.adding(.seconds(min(doubled, longest.inSeconds))))
    return nil
  }

  /// Removes the attempt that ``begin(_:at:)`` counted: it was not evaluated.
  func retract(_ wait: inout AttemptWait?, at now: UnixTime) {
    guard let counted = wait else { return }
    wait = counted.attempts > 1 ? AttemptWait(attempts: counted.attempts - 1, until: now) : nil
  }

  /// Deletes waits without effect from a store.
  func purge(_ store: any AttemptWaitStore, at now: UnixTime) async throws {
    let earliest = now.adding(Interval(nanoseconds: -longest.nanoseconds))
    _ = try await store.purgeWaits(before: earliest, after: now.adding(longest), limit: 500)
  }
}
