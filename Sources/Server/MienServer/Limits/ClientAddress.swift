internal import HTTPTypes
internal import Hummingbird

/// Client address of a connection's requests, as far as it can be determined.
struct ClientAddress {
  /// Address of the remote end: the client or a proxy in front of this server.
  let peer: String?
  private let proxies: TrustedProxies

  /// - Parameter peer: an address as text; an IPv4-mapped IPv6 address of a dual-stack socket (RFC 4291, section
  ///   2.5.5.2) is converted to IPv4.
  init(peer: String?, proxies: TrustedProxies = TrustedProxies()) {
    self.proxies = proxies
    guard let peer, peer.utf8.first == UInt8(ascii: ":"), peer.lowercased().hasPrefix("::ffff:"), peer.contains(".")
    else {
      self.peer = peer
      return
    }
    self.peer = String(peer.dropFirst("::ffff:".count))
  }

  private var isLocal: Bool { peer.map(Self.isLocal) ?? true }

  private static func isLocal(_ address: String) -> Bool { address == "::1" || address.hasPrefix("127.") }

  /// `true` if the remote end is this machine or a trusted proxy, so that its `X-Forwarded-For` is used.
  var isFront: Bool { isLocal || proxies.names(peer ?? "") }

  /// Returns `true` for a request from this machine that was not forwarded by a proxy, which is detected by the headers
  /// that proxies add unless configured otherwise.
  func isOwn(_ request: Request) -> Bool {
    isLocal && !request.headers.contains { field in Self.ofProxies.contains { field.name == $0 } }
  }

  /// Headers that proxies add: RFC 7239, RFC 9110 section 7.6.3, and their common predecessors.
  private static let ofProxies: [HTTPField.Name] =
    [.forwardedFor]
    + ["Forwarded", "Via", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Proto"]
    .compactMap { HTTPField.Name($0) }

  /// Returns the address to which a request is attributed: the client's address or, for IPv6, its /64 network, the
  /// usual allocation to one customer.
  ///
  /// `X-Forwarded-For` is used only if sent by a proxy on this machine or a trusted proxy. The last entry that is not a
  /// trusted proxy counts: the entries before it are supplied by the client.
  func address(of request: Request) -> String { address(forwarded: request.headers[.forwardedFor]) }

  /// - Parameter header: `X-Forwarded-For`, or `nil` if there is none.
  func address(forwarded header: String?) -> String {
    let own = peer ?? ""
    guard let header, isFront else { return Self.network(own) }
    let names = header.split(separator: ",").map { String($0.filter { $0 != " " }) }
    let named = names.last { !proxies.names($0) } ?? names.first
    return Self.network(named ?? own)
  }

  /// Returns the first four groups of an IPv6 address; other addresses are returned unchanged.
  static func network(_ address: String) -> String {
    let address = address.prefix(64)
    guard address.contains(":"), !address.contains(".") else { return String(address) }
    let groups = address.split(separator: ":", omittingEmptySubsequences: false)
    // An address that begins with `::` has two empty groups there.
    let gap = groups.firstIndex(of: "")
    let whole = gap.map { groups[..<$0] + Array(repeating: "0", count: 8)[...] } ?? groups[...]
    return whole.prefix(4).joined(separator: ":")
  }
}
