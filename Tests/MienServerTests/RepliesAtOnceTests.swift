import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import MienServer

/// What is answered where its bytes came in, and what is handed on, with the replies in the order of the requests.
@Suite struct `Replies at once` {
  /// A connection on which requests for `/now…` can be answered at once.
  private struct Connection {
    let channel = EmbeddedChannel()

    init() throws {
      try channel.pipeline.syncOperations.addHandler(
        RepliesAtOnce(peer: "192.0.2.1") { request, peer in
          guard let path = request.path, path.hasPrefix("/now"), peer == "192.0.2.1" else { return nil }
          return (HTTPResponse(status: .ok), ByteBuffer(string: path))
        })
    }

    func receive(_ parts: [HTTPRequestPart]) throws {
      for part in parts { channel.pipeline.fireChannelRead(part) }
      channel.pipeline.fireChannelReadComplete()
    }

    /// The heads' paths, bodies' sizes and ends that were handed on since.
    func handedOn() throws -> [String] {
      var seen: [String] = []
      while let part = try channel.readInbound(as: HTTPRequestPart.self) {
        switch part {
        case .head(let request): seen.append(request.path ?? "")
        case .body(let bytes): seen.append("\(bytes.readableBytes)")
        case .end: seen.append("end")
        }
      }
      return seen
    }

    /// The bodies of the replies that went out since.
    func answered() throws -> [String] {
      var seen: [String] = []
      while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
        if case .body(let bytes) = part { seen.append(String(buffer: bytes)) }
      }
      return seen
    }

    /// What a task of the server answers.
    func answer(_ text: String) {
      channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
      channel.write(HTTPResponsePart.body(ByteBuffer(string: text)), promise: nil)
      channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
    }
  }

  private static func get(_ path: String, _ fields: HTTPFields = [:]) -> [HTTPRequestPart] {
    let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path, headerFields: fields)
    return [.head(head), .end(nil)]
  }

  @Test func `go out without anybody's seeing the request`() throws {
    let connection = try Connection()
    try connection.receive(Self.get("/now/1") + Self.get("/now/2"))
    #expect(try connection.answered() == ["/now/1", "/now/2"])
    #expect(try connection.handedOn().isEmpty)
  }

  @Test func `are not given to what goes the whole way`() throws {
    let connection = try Connection()
    try connection.receive(Self.get("/later"))
    #expect(try connection.handedOn() == ["/later", "end"])
    #expect(try connection.answered().isEmpty)
  }

  @Test func `do not overtake a reply that is still to come`() throws {
    let connection = try Connection()
    try connection.receive(Self.get("/now/1") + Self.get("/later") + Self.get("/now/2"))
    #expect(try connection.answered() == ["/now/1"])
    #expect(try connection.handedOn() == ["/later", "end", "/now/2", "end"])
    connection.answer("later")
    try connection.receive(Self.get("/now/3"))
    #expect(try connection.answered() == ["later"], "the second is with the server's tasks")
    #expect(try connection.handedOn() == ["/now/3", "end"])
    connection.answer("second")
    connection.answer("third")
    try connection.receive(Self.get("/now/4"))
    #expect(try connection.answered() == ["second", "third", "/now/4"])
  }

  @Test(arguments: [[.contentLength: "3"], [.transferEncoding: "chunked"], [.connection: "close"]] as [HTTPFields])
  func `are for requests without a body on connections that stay`(fields: HTTPFields) throws {
    let connection = try Connection()
    try connection.receive(Self.get("/now", fields))
    #expect(try connection.handedOn() == ["/now", "end"])
  }

  @Test func `keep back no head whose end does not come with it`() throws {
    let connection = try Connection()
    let parts = Self.get("/now")
    try connection.receive([parts[0]])
    #expect(try connection.handedOn() == ["/now"])
    try connection.receive([.body(ByteBuffer(string: "abc")), parts[1]])
    #expect(try connection.handedOn() == ["3", "end"])
    #expect(try connection.answered().isEmpty)
  }

  @Test func `hand a head on before the error behind it`() throws {
    struct Garbage: Error {}
    let connection = try Connection()
    connection.channel.pipeline.fireChannelRead(Self.get("/now")[0])
    connection.channel.pipeline.fireErrorCaught(Garbage())
    #expect(try connection.handedOn() == ["/now"])
    #expect(throws: Garbage.self) { try connection.channel.throwIfErrorCaught() }
  }

  @Test func `wait for who does not take what is written`() throws {
    let connection = try Connection()
    connection.channel.isWritable = false
    try connection.receive(Self.get("/now"))
    #expect(try connection.handedOn() == ["/now", "end"])
  }
}
