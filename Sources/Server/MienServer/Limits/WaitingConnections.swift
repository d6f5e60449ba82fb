internal import NIOCore
internal import Synchronization

/// Open connections, and those among them that wait for a request.
///
/// When the number of connections approaches the limit, a new one causes the longest-waiting one to be closed. Idle
/// connections, however many, thus cannot block new clients; a connection whose request is being read or answered is
/// never closed.
final class WaitingConnections: Sendable {
  /// Position in the order of waiting connections.
  typealias Ticket = UInt64

  fileprivate struct State {
    var open = 0
    var next: Ticket = 0
    var waiting: [Ticket: any Channel] = [:]
    /// Tickets in order; those that no longer wait are skipped when encountered.
    var order: [Ticket] = []
    var first = 0
    var closed = 0
  }

  /// Maximum number of open connections.
  let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// Number of connections from which a new one replaces a waiting one: slightly below the limit at which accepting
  /// stops.
  private var crowded: Int { limit - min(limit / 8, 64) }

  /// Counts a new connection until it is closed, and closes the longest-waiting one if too many are open.
  func opened(_ channel: any Channel) {
    let oldest = state.withLock { state -> (any Channel)? in
      state.open += 1
      return state.open > crowded ? state.takeOldest() : nil
    }
    oldest?.close(promise: nil)
    channel.closeFuture.whenComplete { _ in self.state.withLock { $0.open -= 1 } }
  }

  /// Appends a connection to those that wait for a request.
  func waits(_ channel: any Channel) -> Ticket {
    state.withLock { state in
      state.next += 1
      state.waiting[state.next] = channel
      state.order.append(state.next)
      state.compact()
      return state.next
    }
  }

  /// Removes a connection from the waiting ones: its request has begun, or it is closed.
  func leaves(_ ticket: Ticket) { state.withLock { $0.waiting[ticket] = nil } }

  /// Numbers of open connections, of waiting ones, and of those closed in favor of new ones since the start.
  var counts: (open: Int, waiting: Int, closed: Int) {
    state.withLock { ($0.open, $0.waiting.count, $0.closed) }
  }

  /// Number of entries in the order, including connections that no longer wait.
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

  /// Removes entries of connections that no longer wait, so that the order never grows much longer than the number of
  /// waiting ones.
  fileprivate mutating func compact() {
    guard order.count > 2 * waiting.count + 64 else { return }
    order = order[first...].filter { waiting[$0] != nil }
    first = 0
  }
}
