public import MienCore

/// Orders work so that each key gets an even share of the time that work takes: start-time fair queueing (Goyal, Vin, Cheng, SIGCOMM
/// 1996) with measured costs.
///
/// Each key has a tag, the virtual time at which its next element starts. The waiting element with the lowest tag starts next, and its
/// key's tag grows by what the element costs. A key that was idle starts at the present virtual time: it has saved up nothing, and what
/// others used before does not hold it up. Costs are known only when work ends, so an estimate is charged when it starts and corrected
/// when it ends.
///
/// A value without a clock: whoever runs the work measures it.
public struct FairQueue<Key: Hashable & Sendable, Element: Sendable>: Sendable {
  /// What became of an element that was offered.
  public enum Admission: Sendable {
    case queued
    /// The queue, or the part of it that its key may have, is full.
    case refused
    /// The queue was full, and the key that had used most lost its last element for this one.
    case displaced(Element)
  }

  private struct Account {
    var waiting: [(element: Element, order: UInt64)] = []
    var running = 0
    /// In nanoseconds of virtual time.
    var tag: Int64
    /// What the key's last element cost.
    var estimate: Int64
  }

  private let capacity: Int
  private let capacityPerKey: Int
  private var accounts: [Key: Account] = [:]
  private var virtualTime: Int64 = 0
  private var order: UInt64 = 0
  /// What elements of keys without a history are taken to cost: as much as the last one did.
  private var typical: Int64 = 0
  /// How many elements wait.
  public private(set) var count = 0

  /// - Parameters:
  ///   - capacity: how many elements may wait.
  ///   - capacityPerKey: how many of them may be one key's.
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
      // Of the keys with elements waiting the one that is served last gives way, if it is behind this one.
      let tag = max(account?.tag ?? virtualTime, virtualTime)
      guard let last = accounts.filter({ !$0.value.waiting.isEmpty }).max(by: { $0.value.tag < $1.value.tag }),
        last.key != key, last.value.tag > tag
      else { return .refused }
      displaced = accounts[last.key]?.waiting.popLast()?.element
      count -= 1
      forget(last.key)
    }
    order += 1
    var changed = account ?? Account(tag: virtualTime, estimate: typical)
    if changed.waiting.isEmpty, changed.running == 0 { changed.tag = max(changed.tag, virtualTime) }
    changed.waiting.append((element, order))
    accounts[key] = changed
    count += 1
    return displaced.map { .displaced($0) } ?? .queued
  }

  /// Removes the element that is to start next and charges its key an estimate; call ``finish(_:cost:)`` when it has ended.
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

  /// Corrects what was charged for an element of `key` that has ended, by what it cost.
  public mutating func finish(_ key: Key, cost: Interval) {
    guard var account = accounts[key], account.running > 0 else { return }
    let cost = max(0, cost.nanoseconds)
    account.tag += cost - account.estimate
    account.estimate = cost
    account.running -= 1
    typical = cost
    accounts[key] = account
    // With nothing left to order, what was used no longer matters.
    if count == 0, accounts.values.allSatisfy({ $0.running == 0 }) {
      accounts = [:]
      virtualTime = 0
    } else {
      forget(key)
    }
  }

  /// Forgets a key that has nothing here and owes nothing; of keys that owe something, the ones that owe least where there are many.
  private mutating func forget(_ key: Key) {
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
