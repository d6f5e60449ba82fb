internal import Hummingbird
internal import MienCore
internal import MienService
internal import Synchronization

/// Replies over decided checks that were read lately, so that one that is asked for often is written and signed once.
///
/// A reply is made of a check, its result and the space's signing key, and of nothing else. One from here is used only for a check
/// and a result that were read from the store for the very request and are equal to those that it was made of. So what was erased
/// or changed is never told from here, whoever erased or changed it: this server, another one on the same database or the command
/// line; and since whoever asks has been admitted before, nobody is told what they may not see.
///
/// What is not asked for any more is forgotten within a minute, erased or not, and what this server erases at once.
final class ResultResponseCache: Sendable {
  /// What a reply was made of and what it came to.
  struct Entry: Sendable {
    let record: CheckRecord
    let result: CheckResult
    /// The result as a compact JWS; nil where the space signs nothing.
    let signed: String?
    /// The whole reply; nil where it tells of pictures or a film, which go while the result stays.
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

  /// - Parameter capacity: how many replies are kept, between this and twice as many.
  init(capacity: Int = 1000) { self.capacity = capacity }

  /// What was made of this very check and result; nil where they are new or not the same.
  func entry(for record: CheckRecord, _ result: CheckResult) -> Entry? {
    let found: Entry? = generations.withLock { shelves in
      if let found = shelves.current[record.id] { return found }
      // What is asked for stays.
      let found = shelves.before.removeValue(forKey: record.id)
      if let found { shelves.keep(found, capacity) }
      return found
    }
    guard let found, found.record == record, found.result == result else { return nil }
    return found
  }

  func keep(_ entry: Entry) { generations.withLock { $0.keep(entry, capacity) } }

  /// Forgets what was made of a check.
  func forget(_ check: CheckID) {
    generations.withLock { shelves in
      shelves.current[check] = nil
      shelves.before[check] = nil
    }
  }

  /// How many replies are kept.
  var count: Int { generations.withLock { $0.current.count + $0.before.count } }

  /// Forgets everything.
  func clear() { generations.withLock { $0 = Generations() } }

  /// Forgets what was not asked for in the last half minute or more. Call it every second or so.
  func tidy(at now: UnixTime) {
    generations.withLock { shelves in
      guard let turned = shelves.turned, turned <= now else { return shelves.turned = now }
      guard turned.adding(Self.turn) <= now else { return }
      shelves.turn()
      shelves.turned = now
    }
  }
}
