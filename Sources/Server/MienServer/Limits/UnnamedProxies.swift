internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import Synchronization

/// Detects proxies that are not configured as trusted: requests from one address that name many different clients.
///
/// The requests behind such a proxy are attributed to one client and share its limits. A log entry reports it once per
/// address.
final class UnnamedProxies: Sendable {
  /// Number of different clients from which an address counts as a proxy.
  static let clients = 20
  private static let addresses = 64

  private let logger: Logger
  private let seen = Mutex<[String: Set<Int>]>([:])

  init(logger: Logger) { self.logger = logger }

  /// - Returns: `true` if this request reached the threshold for its address.
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
