internal import HTTPTypes
internal import Hummingbird
internal import MienModel
internal import MienService
internal import NIOCore

/// Answers who reads a result that was read before, without the chain of middleware.
///
/// Backends ask for one result over and over. Of what the chain does for such a request all is done here: the key is looked up, may
/// read checks and is counted, the address is counted, the request gets its id, its place in metrics and traces and its line in the log,
/// and the reply its headers; the audit log has no entry for it. Check and result are read from the store for every request, as ``ReplyShelf``
/// demands. Whatever is not quite as usual gets no answer here and goes the whole way: a key that is not known yet or may not, a limit
/// that is reached, a page of another origin, a check that is open, erased or changed, a database that is busy.
struct KeptResults<Observer: FaceObserver>: Sendable {
  private let doorman: Doorman<Observer>
  private let watch: RequestWatch
  private let route: String
  /// What a key must be good for; the same for every address that is answered here.
  private let scope = RouteScope.needed(KeptResults.addresses)
  private let writer: ReplyWriter

  init(doorman: Doorman<Observer>, watch: RequestWatch, writer: ReplyWriter) {
    self.doorman = doorman
    self.watch = watch
    self.writer = writer
    route = CheckRoutes<Observer>.check.description
  }

  /// The reply to a request without a body; nil where it has to go the whole way.
  func reply(to head: HTTPRequest, peer: String?) -> RepliesAtOnce.Reply? {
    guard head.method == .get, let path = head.path, let id = Self.check(path), head.headerFields[.origin] == nil else {
      return nil
    }
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    let began = NIODeadline.now()
    let found = doorman.atOnce(request, peer: peer, reading: scope) { house -> (reply: ByteBuffer, time: UnixTime)? in
      guard let (record, result) = house.service.readAtOnce(id),
        let reply = house.shelf.entry(for: record, result)?.reply
      else { return nil }
      return (reply, house.service.timeOfDay)
    }
    guard let found else { return nil }
    let name = RequestWatch.given(request) ?? RequestID().description
    watch.note(request, route: route, id: name, status: 200, since: began, ended: found.time)
    return writer.reply(.ok, found.reply, id: name, at: found.time)
  }

  /// The check that an address names; nil for other addresses.
  static func check(_ path: String) -> SessionID? {
    // No id has a slash in it.
    guard path.utf8.starts(with: addresses.utf8) else { return nil }
    return SessionID(String(Substring(path.utf8.dropFirst(addresses.utf8.count))))
  }

  private static var addresses: String { "/v1/checks/" }
}
