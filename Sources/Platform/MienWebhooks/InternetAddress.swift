/// An IP address, with a check for public reachability.
public struct InternetAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 bytes (version 4) or 16 (version 6), in network order.
  public let bytes: [UInt8]

  /// Returns `nil` for other lengths.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// `true` for addresses that the public internet routes to a single host.
  ///
  /// The excluded ranges are those of the IANA special-purpose address registries (RFC 6890 and successors). Of IPv6,
  /// only global unicast (2000::/3) counts, without its ranges that embed IPv4 addresses (Teredo, 6to4) or are not
  /// routed; so an IPv4-mapped or translated address never counts.
  public var isPublic: Bool {
    if bytes.count == 4 { return !Self.special4.contains { $0.holds(bytes) } }
    return Self.global6.holds(bytes) && !Self.special6.contains { $0.holds(bytes) }
  }

  /// The connection format: dotted decimal, or eight groups of hexadecimal digits without compression.
  public var description: String {
    if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
      .joined(separator: ":")
  }

  private struct Block {
    let prefix: [UInt8]
    let bits: Int

    init(_ prefix: [UInt8], _ bits: Int) {
      self.prefix = prefix
      self.bits = bits
    }

    func holds(_ bytes: [UInt8]) -> Bool {
      (0..<bits).allSatisfy { bit in
        let mask = UInt8(0x80) >> UInt8(bit % 8)
        let wanted = bit / 8 < prefix.count ? prefix[bit / 8] : 0
        return bytes[bit / 8] & mask == wanted & mask
      }
    }
  }

  private static let special4 = [
    Block([0], 8),  // this network
    Block([10], 8), Block([172, 16], 12), Block([192, 168], 16),  // private use
    Block([100, 64], 10),  // carrier-grade NAT
    Block([127], 8),  // loopback
    Block([169, 254], 16),  // link-local, used for cloud metadata
    Block([192, 0, 0], 24),  // protocol assignments
    Block([192, 0, 2], 24), Block([198, 51, 100], 24), Block([203, 0, 113], 24),  // documentation
    Block([192, 88, 99], 24),  // 6to4 relays
    Block([198, 18], 15),  // benchmarks
    Block([224], 4),  // multicast
    Block([240], 4),  // reserved, broadcast
  ]
  private static let global6 = Block([0x20], 3)
  private static let special6 = [
    Block([0x20, 0x01, 0x00], 23),  // protocol assignments, including Teredo
    Block([0x20, 0x01, 0x0D, 0xB8], 32), Block([0x3F, 0xFF, 0x00], 20),  // documentation
    Block([0x20, 0x02], 16),  // 6to4
  ]
}
