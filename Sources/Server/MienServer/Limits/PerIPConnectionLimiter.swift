internal import NIOCore
internal import Synchronization

/// Limits the number of connections per address, so that one client cannot use up all of them.
///
/// Connections of this machine and of trusted proxies are not counted, because a proxy carries the requests of many
/// clients.
final class PerIPConnectionLimiter: Sendable {
  /// Error for an address that has reached its limit.
  struct TooManyConnectionsError: Error {}

  private let limit: Int
  private let proxies: TrustedProxies
  private let counts = Mutex<[String: Int]>([:])

  init(limit: Int, proxies: TrustedProxies) {
    self.limit = limit
    self.proxies = proxies
  }

  /// Counts a connection until it is closed.
  ///
  /// - Throws: ``TooManyConnectionsError`` if the limit is exceeded.
  func admit(_ channel: any Channel) throws {
    guard let peer = channel.remoteAddress?.ipAddress, let address = counted(peer) else { return }
    guard acquire(address) else { throw TooManyConnectionsError() }
    channel.closeFuture.whenComplete { _ in self.release(address) }
  }

  /// Returns the address to which a connection is attributed, or `nil` if it is not counted.
  func counted(_ peer: String) -> String? {
    let caller = ClientAddress(peer: peer, proxies: proxies)
    return caller.isFront ? nil : caller.address(forwarded: nil)
  }

  func acquire(_ address: String) -> Bool {
    counts.withLock { counts in
      let count = counts[address, default: 0]
      guard count < limit else { return false }
      counts[address] = count + 1
      return true
    }
  }

  func release(_ address: String) {
    counts.withLock { counts in
      guard let count = counts[address] else { return }
      counts[address] = count > 1 ? count - 1 : nil
    }
  }
}
