internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Synchronization

/// Notices a proxy that the operator did not name: requests from one address that name many different clients.
///
/// All of them are counted as one client then, and share its limits. A line in the log says so once for each address.
final class UnnamedProxies: Sendable {
  /// From how many different clients on an address is taken for a proxy.
  static let clients = 20
  private static let addresses = 64

  private let logger: Logger
  private let seen = Mutex<[String: Set<Int>]>([:])

  init(logger: Logger) { self.logger = logger }

  /// - Returns: true when this request made the address one.
  @discardableResult
  func observe(_ request: Request, from peer: String?, proxies: TrustedProxies) -> Bool {
    guard let forwarded = request.headers[.forwardedFor], let peer,
      !ClientAddress(peer: peer, proxies: proxies).isFront
    else { return false }
    let isProxy = seen.withLock { seen in
      var named = seen[peer] ?? []
      guard named.count < Self.clients, !named.isEmpty || seen.count < Self.addresses else { return false }
      named.insert(forwarded.prefix(256).hashValue)
      seen[peer] = named
      return named.count == Self.clients
    }
    guard isProxy else { return false }
    logger.warning(
      "requests from one address name many clients in X-Forwarded-For; if it is your proxy, start with --trusted-proxy",
      metadata: ["address": "\(peer)"])
    return true
  }
}
