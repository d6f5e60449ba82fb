internal import MienCore

/// Waits after wrong attempts, for each key: the first wrong attempt starts one, and each further wait is twice as long.
///
/// An attempt counts as wrong before it is tried, so that of many at the same time one is tried; the right one clears its key.
/// The last `capacity` to twice as many keys are remembered.
struct AttemptWaits<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    var attempts: Int
    var until: MonotonicInstant
  }

  private let first: Interval
  private let longest: Interval
  private let capacity: Int
  private var current: [Key: Entry] = [:]
  private var before: [Key: Entry] = [:]

  /// - Parameters:
  ///   - first: the wait after the first wrong attempt.
  ///   - longest: no wait is longer, and after as long a time without an attempt the next wait is the first again.
  init(first: Interval, longest: Interval = .seconds(3600), capacity: Int = 10_000) {
    precondition(first > .zero && first <= longest && capacity > 0)
    self.first = first
    self.longest = longest
    self.capacity = capacity
  }

  /// Returns the time until the next attempt; `nil` if one is allowed now.
  func wait(for key: Key, at now: MonotonicInstant) -> Interval? {
    guard let entry = entry(for: key), now < entry.until else { return nil }
    return entry.until.since(now)
  }

  /// Counts an attempt as a wrong one, unless it comes too early.
  ///
  /// - Returns: nil when it may be tried, or how long to wait.
  mutating func begin(_ key: Key, at now: MonotonicInstant) -> Interval? {
    if let wait = wait(for: key, at: now) { return wait }
    var attempts = 1
    if let entry = entry(for: key), now.since(entry.until) < longest { attempts = entry.attempts + 1 }
    let doubled = first.inSeconds * Double(1 << min(attempts - 1, 40))
    set(Entry(attempts: attempts, until: now + .seconds(min(doubled, longest.inSeconds))), for: key)
    return nil
  }

  /// Takes back the attempt that ``begin(_:at:)`` counted: it was not tried.
  mutating func retract(_ key: Key, at now: MonotonicInstant) {
    guard let entry = entry(for: key) else { return }
    if entry.attempts > 1 { set(Entry(attempts: entry.attempts - 1, until: now), for: key) } else { succeed(key) }
  }

  /// Clears a key: its attempt was the right one.
  mutating func succeed(_ key: Key) {
    current[key] = nil
    before[key] = nil
  }

  private func entry(for key: Key) -> Entry? { current[key] ?? before[key] }

  private mutating func set(_ entry: Entry, for key: Key) {
    if current[key] == nil, current.count >= capacity {
      before = current
      current = [:]
    }
    current[key] = entry
  }
}
