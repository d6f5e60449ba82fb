internal import NIOCore
internal import Synchronization

/// How many connections stand from each address: one of them shall not take the places of all.
///
/// This machine's own and those of fronts are not counted: a front brings everybody's.
final class PerIPConnectionLimiter: Sendable {
  /// The other end has as many connections as it may have.
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
  /// - Throws: ``TooManyConnectionsError`` for one too many.
  func admit(_ channel: any Channel) throws {
    guard let peer = channel.remoteAddress?.ipAddress, let address = counted(peer) else { return }
    guard acquire(address) else { throw TooManyConnectionsError() }
    channel.closeFuture.whenComplete { _ in self.release(address) }
  }

  /// Whom to count a connection for; nil for nobody.
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
