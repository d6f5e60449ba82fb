internal import HTTPTypes
internal import Hummingbird

/// Who sends the requests of a connection, as far as its other end tells.
struct Caller {
  /// The other end's address: the caller's, or of a proxy before this server.
  let peer: String?

  /// - Parameter peer: an address as text; an IPv4 address that a socket of both kinds writes as IPv6 (RFC 4291, 2.5.5.2) is
  ///   taken for what it is.
  init(peer: String?) {
    guard let peer, peer.lowercased().hasPrefix("::ffff:"), peer.contains(".") else {
      self.peer = peer
      return
    }
    self.peer = String(peer.dropFirst("::ffff:".count))
  }

  private var isLocal: Bool { peer.map { $0 == "::1" || $0.hasPrefix("127.") } ?? true }

  /// True for a request of this machine's own, which no proxy has handed on.
  func isOwn(_ request: Request) -> Bool { isLocal && request.headers[.forwardedFor] == nil }

  /// Whom to count a request for: the address of the caller, of IPv6 the network (64 bits) that one customer has.
  ///
  /// Only a proxy on this machine is believed when it names somebody else, and of `X-Forwarded-For` only the last name: it
  /// is the proxy's own, those before it are what the caller says.
  func address(of request: Request) -> String {
    let named = request.headers[.forwardedFor].flatMap { isLocal ? $0.split(separator: ",").last : nil }
    return Self.network(named.map { $0.filter { $0 != " " } } ?? peer ?? "")
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
