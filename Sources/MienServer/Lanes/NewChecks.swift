internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MienModel
internal import MienService
internal import MienWire
internal import NIOCore

/// Answers who creates a check, without the chain of middleware: after reading a result it is what backends ask for most.
///
/// All that the chain does for such a request is done here, as ``KeptResults`` has it. Whatever is not quite as usual goes the whole way:
/// a key that is not known yet or may not, a limit that is reached, a page of another origin, a body that cannot be read, a server that
/// is traced.
struct NewChecks<Observer: FaceObserver>: Sendable {
  private let doorman: Doorman<Observer>
  private let watch: RequestWatch
  private let writer: ReplyWriter
  private let logger: Logger
  /// What a key must be good for; the same for every address that is answered here.
  private let scope = RouteScope.needed(NewChecks.address)

  init(doorman: Doorman<Observer>, watch: RequestWatch, writer: ReplyWriter, logger: Logger) {
    self.doorman = doorman
    self.watch = watch
    self.writer = writer
    self.logger = logger
  }

  static var address: String { "/v1/checks" }

  /// The reply to a request with all of its body, to come; nil where it has to go the whole way.
  func reply(
    to head: HTTPRequest, _ body: ByteBuffer, peer: String?, on executor: LoopExecutor
  ) -> EventLoopFuture<RepliesAtOnce.Reply>? {
    guard head.method == .post, head.path == Self.address, head.headerFields[.origin] == nil, !watch.spans.traces.isOn
    else { return nil }
    let request = Request(head: head, body: RequestBody(buffer: body))
    let began = NIODeadline.now()
    let known = doorman.letIn(request, peer: peer, for: scope, reading: false) { house in
      // What is wrong with it is said where there is time for it.
      (try? Requests.json(CreateCheckRequest.self, request, Data(body.readableBytesView))).map { (house.service, $0) }
    }
    guard let (service, wish) = known else { return nil }
    let id = RequestWatch.given(request) ?? RequestID().description
    watch.begin()
    let promise = executor.loop.makePromise(of: RepliesAtOnce.Reply.self)
    Task(executorPreference: executor) {
      let reply = await make(wish, by: service, for: id)
      watch.finish(
        request, route: Self.address, id: id, status: reply.head.status.code, since: began, ended: service.timeOfDay)
      doorman.letOut()
      promise.succeed(reply)
    }
    return promise.futureResult
  }

  private func make(
    _ wish: CreateCheckRequest, by service: CheckService<Observer>, for id: String
  ) async -> RepliesAtOnce.Reply {
    do {
      let (check, token) = try await service.create(wish)
      return writer.reply(
        .created, CreateCheckReply(check, token: token).written,
        more: [HTTPField(name: .location, value: check.address)], id: id, at: service.timeOfDay)
    } catch {
      var logger = logger
      logger[metadataKey: "hb.request.id"] = "\(id)"
      let (status, body, more) = Problems.reply(Problems.error(error, logger))
      return writer.reply(status, body, .problem, more: more, id: id, at: service.timeOfDay)
    }
  }
}
