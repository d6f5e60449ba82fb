import NIOCore
import NIOEmbedded
import Testing

@testable import MienServer

@Suite struct `Connections per address` {
  private let limiter = PerIPConnectionLimiter(limit: 2, proxies: TrustedProxies(["10.0.0.254"]) ?? TrustedProxies())

  @Test func `connections are counted until they are closed`() throws {
    func connected(_ address: String) throws -> EmbeddedChannel {
      let channel = EmbeddedChannel()
      try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 8080)).wait()
      channel.remoteAddress = try SocketAddress(ipAddress: address, port: 4000)
      return channel
    }
    let first = try connected("198.51.100.7")
    try limiter.admit(first)
    try limiter.admit(connected("198.51.100.7"))
    #expect(throws: PerIPConnectionLimiter.TooManyConnectionsError.self) {
      try limiter.admit(connected("198.51.100.7"))
    }
    try limiter.admit(connected("198.51.100.8"))
    _ = try first.finish()
    try limiter.admit(connected("198.51.100.7"))
    #expect(throws: PerIPConnectionLimiter.TooManyConnectionsError.self) {
      try limiter.admit(connected("198.51.100.7"))
    }
  }

  @Test func `connections of one IPv6 network share one count`() {
    #expect(limiter.counted("2001:db8:1:2::9") == limiter.counted("2001:db8:1:2:ffff::1"))
    #expect(limiter.counted("2001:db8:1:2::9") != limiter.counted("2001:db8:1:3::9"))
  }

  @Test(arguments: ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.254"])
  func `loopback and proxy connections are not counted`(peer: String) { #expect(limiter.counted(peer) == nil) }
}
