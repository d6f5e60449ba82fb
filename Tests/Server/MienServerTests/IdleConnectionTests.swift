import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import MienServer

@Suite struct `Idle connections` {
  /// Returns a counted connection that waits for its first request.
  private func connected(_ connections: WaitingConnections) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    connections.opened(channel)
    try channel.pipeline.syncOperations.addHandler(
      HeaderTimeoutHandler(head: .hours(1), stall: .hours(1), connections: connections))
    return channel
  }

  private func isOpen(_ channel: EmbeddedChannel) -> Bool {
    channel.embeddedEventLoop.run()
    return channel.isActive
  }

  private var get: HTTPRequestPart { .head(HTTPRequest(method: .get, scheme: nil, authority: "x", path: "/")) }

  @Test func `idle connections are closed for new ones and busy ones stay open`() throws {
    let connections = WaitingConnections(limit: 3)
    let busy = try connected(connections)
    try busy.writeInbound(get)
    let silent = try (0..<50).map { _ in try connected(connections) }
    #expect(isOpen(busy))
    #expect(silent.dropLast(2).allSatisfy { !isOpen($0) })
    #expect(isOpen(silent[48]) && isOpen(silent[49]))
    let counts = connections.counts
    #expect(counts.open == 3 && counts.waiting == 2 && counts.closed == 48)
  }

  @Test func `a connection is idle again after its response`() throws {
    let connections = WaitingConnections(limit: 2)
    let first = try connected(connections)
    try first.writeInbound(get)
    try first.writeInbound(HTTPRequestPart.end(nil))
    #expect(connections.counts.waiting == 0)
    try first.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    try first.writeOutbound(HTTPResponsePart.end(nil))
    #expect(connections.counts.waiting == 1)
    let others = try (0..<2).map { _ in try connected(connections) }
    #expect(!isOpen(first) && isOpen(others[0]) && isOpen(others[1]))
  }

  @Test func `the idle order stays bounded for any number of requests`() throws {
    let connections = WaitingConnections(limit: 10)
    let channel = try connected(connections)
    for _ in 0..<10_000 {
      try channel.writeInbound(get)
      try channel.writeInbound(HTTPRequestPart.end(nil))
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
    }
    #expect(connections.counts.waiting == 1)
    #expect(connections.orderCount <= 66)
  }

  @Test(arguments: [
    ([("Host", "a.example:80")], HTTPVersion.http1_1, true), ([("Host", "[::1]:80")], .http1_1, true),
    ([("host", "")], .http1_1, true), ([], .http1_1, false), ([], .http1_0, true),
    ([("Host", "a"), ("Host", "a")], .http1_1, false), ([("Host", "a"), ("hOST", "b")], .http1_1, false),
    ([("Host", "a"), ("Host", "b")], .http1_0, false), ([("Host", "a, b")], .http1_1, false),
    ([("Host", "a@b")], .http1_1, false), ([("Host", "a/b")], .http1_1, false),
  ])
  func `a request has one valid Host header`(headers: [(String, String)], version: HTTPVersion, isValid: Bool) throws {
    let head = HTTPRequestHead(version: version, method: .GET, uri: "/", headers: HTTPHeaders(headers))
    #expect(HostHeader.isValid(head) == isValid)
    let channel = EmbeddedChannel(handler: HostHeader())
    if isValid {
      try channel.writeInbound(HTTPServerRequestPart.head(head))
      #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == .head(head))
    } else {
      #expect(throws: HTTPParserError.invalidHeaderToken) { try channel.writeInbound(HTTPServerRequestPart.head(head)) }
      try channel.writeInbound(HTTPServerRequestPart.head(head))
      #expect(try channel.readInbound(as: HTTPServerRequestPart.self) == nil)
    }
  }
}
