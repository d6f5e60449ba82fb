internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import Synchronization

/// Proxies whose `X-Forwarded-For` is trusted: those on this machine and those configured by the operator.
public struct TrustedProxies: Hashable, Sendable {
  /// Addresses with a common prefix (CIDR, RFC 4632 and RFC 4291).
  private struct Block: Hashable, Sendable {
    let bytes: [UInt8]
    let bits: Int

    func contains(_ address: [UInt8]) -> Bool {
      guard address.count == bytes.count else { return false }
      for index in 0..<bits / 8 where address[index] != bytes[index] { return false }
      guard bits % 8 > 0 else { return true }
      return (address[bits / 8] ^ bytes[bits / 8]) >> UInt8(8 - bits % 8) == 0
    }
  }

  private var blocks: [Block] = []

  /// Trusts only proxies on this machine.
  public init() {}

  /// Creates the list from addresses and blocks such as `10.0.0.7`, `10.0.0.0/24` or `fd00::/64`; returns `nil` for
  /// other text. A prefix length of 0 is rejected too: every client could then forge its address.
  public init?(_ texts: [String]) {
    for text in texts {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let bytes = Self.bytes(String(parts[0])) else { return nil }
      let bits = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
      guard let bits, (1...bytes.count * 8).contains(bits) else { return nil }
      blocks.append(Block(bytes: bytes, bits: bits))
    }
  }

  /// Returns `true` if an address is configured as a trusted proxy.
  func names(_ address: String) -> Bool {
    guard !blocks.isEmpty, let bytes = Self.bytes(address) else { return false }
    return blocks.contains { $0.contains(bytes) }
  }

  /// Returns the four or sixteen bytes of an address, or `nil`.
  private static func bytes(_ text: String) -> [UInt8]? {
    switch try? SocketAddress(ipAddress: text, port: 0) {
    case .v4(let address)?: memory(of: address.address.sin_addr)
    case .v6(let address)?: memory(of: address.address.sin6_addr)
    default: nil
    }
  }

  private static func memory<Value>(of value: Value) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }
}

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
