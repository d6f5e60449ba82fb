internal import Hummingbird
internal import MienModel
internal import MienService
internal import NIOCore

/// Answers whether the process is alive on the event loop of the connection: no other work of the server runs there, so the answer comes
/// however busy all other threads are. The request passes no limit and needs no key.
struct LivenessResponder: Sendable {
  static let path = "/health/live"

  private let watch: RequestWatch
  private let writer: ReplyWriter
  private let timeOfDay: @Sendable () -> UnixTime

  init(watch: RequestWatch, writer: ReplyWriter, timeOfDay: @escaping @Sendable () -> UnixTime) {
    self.watch = watch
    self.writer = writer
    self.timeOfDay = timeOfDay
  }

  /// The reply to a request without a body; nil for every other request.
  func reply(to head: HTTPRequest) -> RepliesAtOnce.Reply? {
    guard head.method == .get, head.path == Self.path, head.headerFields[.origin] == nil else { return nil }
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    let began = NIODeadline.now()
    let id = RequestWatch.given(request) ?? RequestID().description
    let time = timeOfDay()
    watch.note(request, route: Self.path, id: id, status: 200, since: began, ended: time)
    return writer.reply(.ok, ByteBuffer(string: #"{"status":"live"}"#), id: id, at: time)
  }
}
