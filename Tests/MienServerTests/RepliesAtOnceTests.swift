import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import MienServer

/// What is answered where its bytes came in, and what is handed on, with the replies in the order of the requests.
@Suite struct `Replies at once` {
  /// A connection on which requests for `/now…` can be answered at once, and those for `/soon…` a little later.
  private struct Connection {
    let channel = EmbeddedChannel()
    private let listener = Listener()
    private let soon = Soon()

    private final class Soon: Sendable {
      let promises = Mutex<[EventLoopPromise<RepliesAtOnce.Reply>]>([])
    }

    /// Counts what is asked of the network, and notes the ends and errors that come through.
    private final class Listener: ChannelDuplexHandler {
      typealias InboundIn = HTTPRequestPart
      typealias OutboundIn = HTTPResponsePart
      var reads = 0
      var seen: [String] = []

      func read(context: ChannelHandlerContext) {
        reads += 1
        context.read()
      }
    }

    private final class Behind: ChannelInboundHandler {
      typealias InboundIn = HTTPRequestPart
      let listener: Listener

      init(_ listener: Listener) { self.listener = listener }

      func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { listener.seen.append("end") }
        context.fireUserInboundEventTriggered(event)
      }

      func errorCaught(context: ChannelHandlerContext, error: any Error) { listener.seen.append("error") }

      func channelReadComplete(context: ChannelHandlerContext) {
        listener.seen.append("read")
        context.fireChannelReadComplete()
      }
    }

    init() throws {
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(listener)
      try pipeline.addHandler(
        RepliesAtOnce(peer: "192.0.2.1", executor: LoopExecutor(channel.eventLoop)) {
          [soon] request, body, peer, executor in
          guard let path = request.path, peer == "192.0.2.1" else { return .handedOn }
          if path.hasPrefix("/now") {
            return .now((HTTPResponse(status: .ok), ByteBuffer(string: path + String(buffer: body))))
          }
          guard path.hasPrefix("/soon") else { return .handedOn }
          let promise = executor.loop.makePromise(of: RepliesAtOnce.Reply.self)
          soon.promises.withLock { $0.append(promise) }
          return .later(promise.futureResult)
        })
    }

    /// Puts something behind what is tested that notes what comes through.
    func listen() throws { try channel.pipeline.syncOperations.addHandler(Behind(listener)) }

    /// What came through since.
    func noted() -> [String] {
      defer { listener.seen = [] }
      return listener.seen
    }

    /// How often the network was asked for more since.
    func reads() -> Int {
      defer { listener.reads = 0 }
      return listener.reads
    }

    /// The first reply that is waited for comes.
    func reply(_ text: String) {
      let promise = soon.promises.withLock { $0.removeFirst() }
      promise.succeed((HTTPResponse(status: .created), ByteBuffer(string: text)))
    }

    func fail() {
      struct Lost: Error {}
      let promise = soon.promises.withLock { $0.removeFirst() }
      promise.fail(Lost())
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

  private static func post(_ path: String, _ body: String, _ fields: HTTPFields = [:]) -> [HTTPRequestPart] {
    var fields = fields
    if fields[.transferEncoding] == nil, fields[.contentLength] == nil { fields[.contentLength] = "\(body.utf8.count)" }
    let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: path, headerFields: fields)
    return [.head(head), .body(ByteBuffer(string: body)), .end(nil)]
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

  // MARK: - With a body

  @Test func `see the whole body`() throws {
    let connection = try Connection()
    try connection.receive(Self.post("/now", "abc"))
    var parts = Self.post("/now", "abcdef")
    parts[1] = .body(ByteBuffer(string: "abc"))
    parts.insert(.body(ByteBuffer(string: "def")), at: 2)
    try connection.receive(parts + Self.post("/now", ""))
    #expect(try connection.answered() == ["/nowabc", "/nowabcdef", "/now"])
    #expect(try connection.handedOn().isEmpty)
  }

  @Test func `are for bodies that come whole`() throws {
    let connection = try Connection()
    let parts = Self.post("/now", "abc")
    try connection.receive(Array(parts[..<2]))
    #expect(try connection.handedOn() == ["/now", "3"])
    try connection.receive([parts[2]])
    #expect(try connection.handedOn() == ["end"])
    #expect(try connection.answered().isEmpty)
  }

  @Test func `are for small bodies of a length that is told`() throws {
    let large = String(repeating: "x", count: RepliesAtOnce.largestBody + 1)
    for (body, fields) in [
      (large, HTTPFields()), ("abc", [.transferEncoding: "chunked"]), ("abc", [.expect: "100-continue"]),
      ("abc", [.connection: "close"]), ("abc", [.contentLength: "abc"]),
    ] as [(String, HTTPFields)] {
      let connection = try Connection()
      try connection.receive(Self.post("/now", body, fields))
      #expect(try connection.handedOn() == ["/now", "\(body.utf8.count)", "end"])
      #expect(try connection.answered().isEmpty)
    }
    // What is longer than it was told to be is none of this handler's business but that it must not grow.
    let connection = try Connection()
    try connection.receive(Self.post("/now", large, [.contentLength: "3"]))
    #expect(try connection.handedOn() == ["/now", "\(large.utf8.count)", "end"])
  }

  // MARK: - A little later

  @Test func `come before those of what came meanwhile`() throws {
    let connection = try Connection()
    try connection.receive(Self.post("/soon", "a") + Self.get("/now/1") + Self.get("/later") + Self.get("/now/2"))
    #expect(try connection.answered().isEmpty)
    #expect(try connection.handedOn().isEmpty)
    connection.reply("made")
    #expect(try connection.answered() == ["made", "/now/1"])
    #expect(try connection.handedOn() == ["/later", "end", "/now/2", "end"])
  }

  @Test func `come one after the other, also when they were sent together`() throws {
    let connection = try Connection()
    try connection.receive(Self.post("/soon/1", "a") + Self.post("/soon/2", "b") + Self.get("/now"))
    connection.reply("first")
    #expect(try connection.answered() == ["first"])
    connection.reply("second")
    #expect(try connection.answered() == ["second", "/now"])
  }

  @Test func `keep back no head that came meanwhile without its end`() throws {
    let connection = try Connection()
    try connection.listen()
    let parts = Self.get("/now")
    try connection.receive(Self.post("/soon", "a") + [parts[0]])
    _ = connection.noted()
    connection.reply("made")
    #expect(try connection.handedOn() == ["/now"])
    #expect(connection.noted() == ["read"], "who gathers what comes learns that it may be looked at")
    try connection.receive([parts[1]])
    #expect(try connection.handedOn() == ["end"])
  }

  @Test func `listen for more, and stop when more has come`() throws {
    let connection = try Connection()
    try connection.receive(Self.post("/soon", "a"))
    connection.channel.pipeline.read()
    #expect(connection.reads() == 1, "nothing has come")
    try connection.receive(Self.get("/now"))
    connection.channel.pipeline.read()
    connection.channel.pipeline.read()
    #expect(connection.reads() == 0)
    connection.reply("made")
    #expect(connection.reads() == 1)
    #expect(try connection.answered() == ["made", "/now"])
  }

  @Test func `are waited for by the end of the connection's input and by errors`() throws {
    struct Garbage: Error {}
    let connection = try Connection()
    try connection.listen()
    try connection.receive(Self.post("/soon", "a"))
    _ = connection.noted()
    connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    connection.channel.pipeline.fireErrorCaught(Garbage())
    #expect(connection.noted().isEmpty)
    connection.reply("made")
    #expect(try connection.answered() == ["made"])
    #expect(connection.noted() == ["error", "end"])
  }

  @Test func `that never come end the connection`() throws {
    let connection = try Connection()
    try connection.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
    try connection.receive(Self.post("/soon", "a"))
    connection.fail()
    connection.channel.embeddedEventLoop.run()
    #expect(!connection.channel.isActive)
    #expect(try connection.answered().isEmpty)
  }
}
