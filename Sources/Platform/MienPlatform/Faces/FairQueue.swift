public import MienCore

/// Orders work so that each key gets an equal share of processing time: start-time fair queueing (Goyal, Vin, Cheng,
/// SIGCOMM 1996) with measured costs.
///
/// Each key has a tag, the virtual time at which its next element starts. The waiting element with the lowest tag
/// starts next, and its key's tag grows by the element's cost. A key that was idle starts at the current virtual time:
/// idle time earns no credit, and earlier usage by others does not delay it. Costs are known only when work ends, so an
/// estimate is charged when it starts and corrected when it ends.
///
/// A value type without a clock: the caller measures the work.
public struct FairQueue<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  /// The outcome of enqueueing an element.
  public enum Admission: Sendable {
    case queued
    /// The queue, or the share of its key, is full.
    case refused
    /// The queue was full, and the last element of the key with the highest usage was dropped in favor of this one.
    case displaced(Element)
  }

  private struct Account {
    var waiting: [(element: Element, order: UInt64)] = []
    var running = 0
    /// Virtual start time in nanoseconds.
    var tag: Int64
    /// Cost of the key's last element.
    var estimate: Int64
  }

  private let capacity: Int
  private let capacityPerKey: Int
  private var accounts: [Key: Account] = [:]
  private var virtualTime: Int64 = 0
  private var order: UInt64 = 0
  /// Cost estimate for keys without a history: the cost of the last element of any key.
  private var typical: Int64 = 0
  /// Number of waiting elements.
  public private(set) var count = 0

  /// - Parameters:
  ///   - capacity: maximum number of waiting elements.
  ///   - capacityPerKey: maximum number of waiting elements of one key.
  public init(capacity: Int, capacityPerKey: Int) {
    self.capacity = capacity
    self.capacityPerKey = capacityPerKey
  }

  /// Adds an element of `key`.
  public mutating func enqueue(_ element: Element, for key: Key) -> Admission {
    let account = accounts[key]
    if let account, account.waiting.count >= capacityPerKey { return .refused }
    guard capacityPerKey > 0 else { return .refused }
    var displaced: Element?
    if count >= capacity {
      // Among keys with waiting elements, the one that would be served last is displaced, if it is behind this one.
      let tag = max(account?.tag ?? virtualTime, virtualTime)
      guard let last = accounts.filter({ !$0.value.waiting.isEmpty }).max(by: { $0.value.tag < $1.value.tag }),
        last.key != key, last.value.tag > tag
      else { return .refused }
      displaced = accounts[last.key]?.waiting.popLast()?.element
      count -= 1
      remove(last.key)
    }
    order += 1
    var changed = account ?? Account(tag: virtualTime, estimate: typical)
    if changed.waiting.isEmpty, changed.running == 0 { changed.tag = max(changed.tag, virtualTime) }
    changed.waiting.append((element, order))
    accounts[key] = changed
    count += 1
    return displaced.map { .displaced($0) } ?? .queued
  }

  /// Removes the next element and charges its key an estimate; call ``finish(_:cost:)`` when the work has ended.
  public mutating func dequeue() -> (key: Key, element: Element)? {
    let next = accounts.filter { !$0.value.waiting.isEmpty }.min { first, second in
      (first.value.tag, first.value.waiting[0].order) < (second.value.tag, second.value.waiting[0].order)
    }
    guard let key = next?.key, var account = next?.value else { return nil }
    let element = account.waiting.removeFirst().element
    virtualTime = max(virtualTime, account.tag)
    account.tag += account.estimate
    account.running += 1
    accounts[key] = account
    count -= 1
    return (key, element)
  }

  /// Replaces the estimate charged for a finished element of `key` with its actual cost.
  public mutating func finish(_ key: Key, cost: Interval) {
    guard var account = accounts[key], account.running > 0 else { return }
    let cost = max(0, cost.nanoseconds)
    account.tag += cost - account.estimate
    account.estimate = cost
    account.running -= 1
    typical = cost
    accounts[key] = account
    // With nothing left to order, past usage is irrelevant.
    if count == 0, accounts.values.allSatisfy({ $0.running == 0 }) {
      accounts = [:]
      virtualTime = 0
    } else {
      remove(key)
    }
  }

  /// Removes a key without elements or outstanding usage; if there are too many keys, also those with the least
  /// outstanding usage.
  private mutating func remove(_ key: Key) {
    if let account = accounts[key], account.waiting.isEmpty, account.running == 0, account.tag <= virtualTime {
      accounts[key] = nil
    }
    guard accounts.count > 4 * capacity + 64 else { return }
    accounts = accounts.filter { !$0.value.waiting.isEmpty || $0.value.running > 0 || $0.value.tag > virtualTime }
    while accounts.count > 4 * capacity + 64,
      let least = accounts.filter({ $0.value.waiting.isEmpty && $0.value.running == 0 }).min(by: {
        $0.value.tag < $1.value.tag
      })
    {
      accounts[least.key] = nil
    }
  }
}
