import Testing

@testable import MienServer

/// Whom a request is counted for.
@Suite struct `Callers` {
  @Test(arguments: [
    ("198.51.100.7", "198.51.100.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2"), ("2001:db8:1:2::9", "2001:db8:1:2"),
    ("2001:db8::9", "2001:db8:0:0"), ("fe80::1", "fe80:0:0:0"), ("::ffff:198.51.100.7", "::ffff:198.51.100.7"),
    ("", ""), ("no address", "no address"),
  ])
  func `are their address, of IPv6 the network that one customer has`(address: String, network: String) {
    #expect(Caller.network(address) == network)
  }

  @Test func `have no names of any length`() {
    #expect(Caller.network(String(repeating: "x", count: 10_000)).count <= 64)
  }
}
