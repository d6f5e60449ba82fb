internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import Synchronization

/// Cache of recent responses for decided checks, so that frequently requested ones are decrypted, encoded and signed once.
///
/// A cached response is used only if the stored values were read for the current request and are those that it was made
/// from. Deleted or changed data is therefore never returned from the cache, whether this server, another one on the same
/// database or the command line deleted or changed it. Every client has been authorized before.
///
/// Entries that are no longer requested are removed within a minute, and those of checks deleted by this server
/// immediately.
final class ResultResponseCache: Sendable {
  /// A cached response.
  struct Entry: Sendable {
    let check: CheckID
    /// Version of the stored values (``CheckReading``).
    let version: Int
    /// Result as a compact JWS; `nil` if the realm does not sign results.
    let signed: String?
    /// Complete response; `nil` if it includes images or a video, which expire before the result.
    let response: ByteBuffer?
  }

  private struct Generations {
    var current: [CheckID: Entry] = [:]
    var before: [CheckID: Entry] = [:]
    var turned: UnixTime?

    mutating func keep(_ entry: Entry, _ capacity: Int) {
      if current[entry.check] == nil, current.count >= capacity { turn() }
      before[entry.check] = nil
      current[entry.check] = entry
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

  /// Returns the entry of a check, or `nil`.
  func entry(of check: CheckID) -> Entry? {
    generations.withLock { generations in
      if let found = generations.current[check] { return found }
      // Requested entries are moved to the current generation.
      let found = generations.before.removeValue(forKey: check)
      if let found { generations.keep(found, capacity) }
      return found
    }
  }

  func keep(_ entry: Entry) { generations.withLock { $0.keep(entry, capacity) } }

  /// Removes the entry of a check.
  func remove(_ check: CheckID) {
    generations.withLock { generations in
      generations.current[check] = nil
      generations.before[check] = nil
    }
  }

  /// Number of cached entries.
  var count: Int { generations.withLock { $0.current.count + $0.before.count } }

  /// Removes all entries.
  func clear() { generations.withLock { $0 = Generations() } }

  /// Removes entries that were not requested for at least half a minute. Call it about once a second.
  func purgeExpired(at now: UnixTime) {
    generations.withLock { generations in
      guard let turned = generations.turned, turned <= now else { return generations.turned = now }
      guard turned.adding(Self.turn) <= now else { return }
      generations.turn()
      generations.turned = now
    }
  }
}
