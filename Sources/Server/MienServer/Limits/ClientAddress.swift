internal import HTTPTypes
internal import Hummingbird

/// Who sends the requests of a connection, as far as its other end tells.
struct ClientAddress {
  /// The other end's address: the caller's, or of a proxy before this server.
  let peer: String?
  private let proxies: TrustedProxies

  /// - Parameter peer: an address as text; an IPv4 address that a socket of both kinds writes as IPv6 (RFC 4291, 2.5.5.2) is
  ///   taken for what it is.
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

  /// True when the other end is this machine or a front that the operator names: it may speak for others.
  var isFront: Bool { isLocal || proxies.names(peer ?? "") }

  /// True for a request of this machine's own, which no proxy has handed on: one that has says so in one of these headers, unless it
  /// is set up to say nothing.
  func isOwn(_ request: Request) -> Bool {
    isLocal && !request.headers.contains { field in Self.ofProxies.contains { field.name == $0 } }
  }

  /// What proxies add to a request: RFC 7239, RFC 9110 section 7.6.3, and what was usual before them and still is.
  private static let ofProxies: [HTTPField.Name] =
    [.forwardedFor]
    + ["Forwarded", "Via", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Proto"]
    .compactMap { HTTPField.Name($0) }

  /// Whom to count a request for: the address of the caller, of IPv6 the network (64 bits) that one customer has.
  ///
  /// Only a proxy on this machine, or one that the operator names, is believed when it names somebody else. Of
  /// `X-Forwarded-For` the last name counts that is no such proxy's own: those before it are what the caller says.
  func address(of request: Request) -> String { address(forwarded: request.headers[.forwardedFor]) }

  /// - Parameter header: `X-Forwarded-For`; nil when there is none.
  func address(forwarded header: String?) -> String {
    let own = peer ?? ""
    guard let header, isFront else { return Self.network(own) }
    let names = header.split(separator: ",").map { String($0.filter { $0 != " " }) }
    let named = names.last { !proxies.names($0) } ?? names.first
    return Self.network(named ?? own)
  }

  /// The first four groups of an IPv6 address; anything else as it is.
  static func network(_ address: String) -> String {
    let address = address.prefix(64)
    guard address.contains(":"), !address.contains(".") else { return String(address) }
    let groups = address.split(separator: ":", omittingEmptySubsequences: false)
    // An address that begins with its gap has two empty groups there.
    let gap = groups.firstIndex(of: "")
    let whole = gap.map { groups[..<$0] + Array(repeating: "0", count: 8)[...] } ?? groups[...]
    return whole.prefix(4).joined(separator: ":")
  }
}
