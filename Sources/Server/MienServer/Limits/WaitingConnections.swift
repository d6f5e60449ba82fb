internal import NIOCore
internal import Synchronization

/// The open connections, and which of them wait for a request.
///
/// When nearly as many are open as may be, a new one takes the place of the one that has waited longest for a request. Silent
/// connections, however many, thus keep nobody out; a connection whose request is being read or answered is never closed.
final class WaitingConnections: Sendable {
  /// A place in the order of waiting connections.
  typealias Ticket = UInt64

  fileprivate struct State {
    var open = 0
    var next: Ticket = 0
    var waiting: [Ticket: any Channel] = [:]
    /// In order; those that wait no more are skipped when they are met.
    var order: [Ticket] = []
    var first = 0
    var closed = 0
  }

  /// How many connections may be open.
  let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// From how many on a new connection takes the place of a waiting one: a little before accepting stops.
  private var crowded: Int { limit - min(limit / 8, 64) }

  /// Counts a new connection until it is closed, and closes the one that has waited longest where too many are open.
  func opened(_ channel: any Channel) {
    let oldest = state.withLock { state -> (any Channel)? in
      state.open += 1
      return state.open > crowded ? state.takeOldest() : nil
    }
    oldest?.close(promise: nil)
    channel.closeFuture.whenComplete { _ in self.state.withLock { $0.open -= 1 } }
  }

  /// Puts a connection at the end of those that wait for a request.
  func waits(_ channel: any Channel) -> Ticket {
    state.withLock { state in
      state.next += 1
      state.waiting[state.next] = channel
      state.order.append(state.next)
      state.compact()
      return state.next
    }
  }

  /// Takes a connection out: its request has begun, or it is closed.
  func leaves(_ ticket: Ticket) { state.withLock { $0.waiting[ticket] = nil } }

  /// How many are open, how many of them wait, and how many were closed for new ones since the start.
  var counts: (open: Int, waiting: Int, closed: Int) {
    state.withLock { ($0.open, $0.waiting.count, $0.closed) }
  }

  /// How many places there are in the order, with those of connections that wait no more.
  var orderCount: Int { state.withLock { $0.order.count } }
}

extension WaitingConnections.State {
  fileprivate mutating func takeOldest() -> (any Channel)? {
    while first < order.count {
      let ticket = order[first]
      first += 1
      guard let channel = waiting.removeValue(forKey: ticket) else { continue }
      closed += 1
      return channel
    }
    return nil
  }

  /// Drops the places of those that wait no more, so that the order is never much longer than what it is about.
  fileprivate mutating func compact() {
    guard order.count > 2 * waiting.count + 64 else { return }
    order = order[first...].filter { waiting[$0] != nil }
    first = 0
  }
}
