internal import NIOCore
internal import Synchronization

/// How many connections stand from each address: one of them shall not take the places of all.
///
/// This machine's own and those of fronts are not counted: a front brings everybody's.
final class AddressConnections: Sendable {
  /// The other end has as many connections as it may have.
  struct Crowded: Error {}

  private let limit: Int
  private let proxies: TrustedProxies
  private let counts = Mutex<[String: Int]>([:])

  init(limit: Int, proxies: TrustedProxies) {
    self.limit = limit
    self.proxies = proxies
  }

  /// Counts a connection until it is closed.
  ///
  /// - Throws: ``Crowded`` for one too many.
  func admit(_ channel: any Channel) throws {
    guard let peer = channel.remoteAddress?.ipAddress, let address = counted(peer) else { return }
    guard enter(address) else { throw Crowded() }
    channel.closeFuture.whenComplete { _ in self.leave(address) }
  }

  /// Whom to count a connection for; nil for nobody.
  func counted(_ peer: String) -> String? {
    let caller = Caller(peer: peer, proxies: proxies)
    return caller.isFront ? nil : caller.address(forwarded: nil)
  }

  func enter(_ address: String) -> Bool {
    counts.withLock { counts in
      let count = counts[address, default: 0]
      guard count < limit else { return false }
      counts[address] = count + 1
      return true
    }
  }

  func leave(_ address: String) {
    counts.withLock { counts in
      guard let count = counts[address] else { return }
      counts[address] = count > 1 ? count - 1 : nil
    }
  }
}
