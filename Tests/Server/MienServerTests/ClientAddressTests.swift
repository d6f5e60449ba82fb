import Testing

@testable import MienServer

/// Client address used for rate limits.
@Suite struct `Client addresses` {
  @Test(arguments: [
    ("198.51.100.7", "198.51.100.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:db8:1:2::9", "2001:db8:1:2"),
    ("2001:db8::9", "2001:db8:0:0"), ("fe80::1", "fe80:0:0:0"), ("::ffff:198.51.100.7", "::ffff:198.51.100.7"),
    ("", ""), ("no address", "no address"),
  ])
  func `a client is its IPv4 address or IPv6 network`(address: String, network: String) {
    #expect(ClientAddress.network(address) == network)
  }

  @Test(
    arguments: [
      // From a local proxy: the last address it reports.
      ("127.0.0.1", "203.0.113.9", "203.0.113.9"), ("::1", "10.9.9.9, 203.0.113.9", "203.0.113.9"),
      ("::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"), ("127.0.0.1", nil, "127.0.0.1"),
      // From a configured proxy, and from two in a chain.
      ("10.0.0.254", "203.0.113.9", "203.0.113.9"), ("10.0.0.254", "1.2.3.4, 203.0.113.9, 10.0.0.253", "203.0.113.9"),
      ("127.0.0.1", "203.0.113.9, 10.0.0.254", "203.0.113.9"), ("fd00::7", "2001:db8:1:2::9", "2001:db8:1:2"),
      ("::ffff:10.0.0.254", "203.0.113.9", "203.0.113.9"), ("10.0.0.254", "10.0.0.253", "10.0.0.253"),
      // From other clients.
      ("198.51.100.7", "203.0.113.9", "198.51.100.7"), ("10.0.1.254", "203.0.113.9", "10.0.1.254"),
      ("198.51.100.7", nil, "198.51.100.7"),
    ] as [(String, String?, String)])
  func `a trusted proxy names the client`(peer: String, header: String?, counted: String) throws {
    let proxies = try #require(TrustedProxies(["10.0.0.0/24", "fd00::/64"]))
    #expect(ClientAddress(peer: peer, proxies: proxies).address(forwarded: header) == counted)
  }

  @Test(arguments: ["", "10.0.0", "10.0.0.1/33", "10.0.0.1/0", "fd00::/129", "10.0.0.1/x", "host", "10.0.0.1/", "/8"])
  func `invalid address blocks are rejected`(text: String) { #expect(TrustedProxies([text]) == nil) }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.0.0.4/30", "10.0.0.7", true),
    ("10.0.0.4/30", "10.0.0.8", false), ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
    ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
    ("10.0.0.0/8", "::10.0.0.1", false), ("10.0.0.0/8", "no address", false),
  ])
  func `an address is in a block with its prefix`(block: String, address: String, isIn: Bool) throws {
    #expect(try #require(TrustedProxies([block])).names(address) == isIn)
  }

  @Test func `the length of client names is limited`() {
    #expect(ClientAddress.network(String(repeating: "x", count: 10_000)).count <= 64)
  }
}
