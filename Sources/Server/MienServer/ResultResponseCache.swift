internal import Hummingbird
internal import MienCore
internal import MienService
internal import Synchronization

/// Cache of recent responses for decided checks, so that frequently requested ones are encoded and signed once.
///
/// A response depends only on a check, its result and the realm's signing key. A cached one is used only if check and
/// result were read from the store for the current request and equal those of the cached response. Deleted or changed
/// data is therefore never returned from the cache, whether this server, another one on the same database or the
/// command line deleted or changed it; and since every client has been authorized before, the cache exposes nothing to
/// unauthorized clients.
///
/// Entries that are no longer requested are removed within a minute, and those of checks deleted by this server
/// immediately.
final class ResultResponseCache: Sendable {
  /// A cached response with the check and the result from which it was made.
  struct Entry: Sendable {
    let record: CheckRecord
    let result: CheckResult
    /// Result as a compact JWS; `nil` if the realm does not sign results.
    let signed: String?
    /// Complete response; `nil` if it includes images or a video, which expire before the result.
    let reply: ByteBuffer?
  }

  private struct Generations {
    var current: [CheckID: Entry] = [:]
    var before: [CheckID: Entry] = [:]
    var turned: UnixTime?

    mutating func keep(_ entry: Entry, _ capacity: Int) {
      if current[entry.record.id] == nil, current.count >= capacity { turn() }
      before[entry.record.id] = nil
      current[entry.record.id] = entry
    }

    mutating func turn() {
      before = current
      current = [:]
    }
  }

  private static let turn = Interval.seconds(30)

  private let capacity: Int
  private let generations = Mutex(Generations())

  /// - Parameter capacity: number of entries per generation; the cache holds up to twice as many.
  init(capacity: Int = 1000) { self.capacity = capacity }

  /// Returns the entry for exactly this check and result, or `nil`.
  func entry(for record: CheckRecord, _ result: CheckResult) -> Entry? {
    let found: Entry? = generations.withLock { shelves in
      if let found = shelves.current[record.id] { return found }
      // Requested entries are moved to the current generation.
      let found = shelves.before.removeValue(forKey: record.id)
      if let found { shelves.keep(found, capacity) }
      return found
    }
    guard let found, found.record == record, found.result == result else { return nil }
    return found
  }

  func keep(_ entry: Entry) { generations.withLock { $0.keep(entry, capacity) } }

  /// Removes the entry of a check.
  func remove(_ check: CheckID) {
    generations.withLock { shelves in
      shelves.current[check] = nil
      shelves.before[check] = nil
    }
  }

  /// Number of cached entries.
  var count: Int { generations.withLock { $0.current.count + $0.before.count } }

  /// Removes all entries.
  func clear() { generations.withLock { $0 = Generations() } }

  /// Removes entries that were not requested for at least half a minute. Call it about once a second.
  func purgeExpired(at now: UnixTime) {
    generations.withLock { shelves in
      guard let turned = shelves.turned, turned <= now else { return shelves.turned = now }
      guard turned.adding(Self.turn) <= now else { return }
      shelves.turn()
      shelves.turned = now
    }
  }
}
