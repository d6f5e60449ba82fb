internal import HTTPTypes
internal import Hummingbird
internal import MienAccess
internal import MienCaptures
internal import MienChecks
internal import MienMessageService
internal import MienPlatform
internal import MienWebhooks
internal import NIOCore
internal import ServiceLifecycle

/// Route of the events that keep lists up to date: server-sent events (HTML Living Standard, section 9.2).
///
/// An event names a list that has changed, and nothing of its records; the client asks for the list as before.
struct EventRoutes: Sendable {
  let realms: Realms
  private let feeds: PerRealmFeeds

  init(realms: Realms) {
    self.realms = realms
    feeds = PerRealmFeeds(live: Self.feed(.live, of: realms), sandbox: Self.feed(.sandbox, of: realms))
  }

  func add(to routes: inout APIRoutes) {
    routes.get("/v1/events", RoutePolicy(.key, .checks, origins: .none)) { call in
      let readable = Self.lists(of: call.context)
      let events = await feeds[call.realm].watch()
      let body = ResponseBody { writer in
        // A client whose connection broke connects again after a second.
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
        for await event in events.cancelOnGracefulShutdown() {
          switch event {
          case .idle: try await writer.write(ByteBuffer(string: ": idle\n\n"))
          case .changed(let list) where readable.contains(list):
            try await writer.write(ByteBuffer(string: "event: changed\ndata: \(list.rawValue)\n\n"))
          case .changed: continue
          }
        }
        try await writer.finish(nil)
      }
      return Response(
        status: .ok,
        headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no"], body: body)
    }
  }

  /// Returns the lists that a client may read.
  private static func lists(of context: ServerContext) -> Set<RecordChangeFeed.List> {
    Set(
      RecordChangeFeed.List.allCases.filter { list in
        if let key = context.key { return key.allows(scope(of: list), reading: true) }
        return context.signedIn?.role.allows(scope(of: list), reading: true) == true
      })
  }

  private static func scope(of list: RecordChangeFeed.List) -> APIKeyScope {
    switch list {
    case .checks: .checks
    case .captures: .captures
    case .messages: .messages
    case .webhooks: .webhooks
    }
  }

  private static func feed(_ realm: Realm, of realms: Realms) -> RecordChangeFeed {
    RecordChangeFeed(clock: realms.clock) { list in
      var page = PageRequest()
      page.limit = 200
      switch list {
      case .checks:
        var query = CheckListQuery()
        query.page = page
        return try await realms[realm].checks.checks(query).items.map { "\($0)" }
      case .captures:
        guard let captures = realms.captures?[realm] else { return nil }
        var query = CaptureListQuery()
        query.page = page
        return try await captures.captures(query).items.map { "\($0)" }
      case .messages:
        guard let messages = realms.messages?[realm] else { return nil }
        var query = MessageListQuery()
        query.page = page
        return try await messages.messages(query).items.map { "\($0)" }
      case .webhooks:
        let webhooks = realms[realm].webhooks
        var deliveries: [String] = []
        for webhook in try await webhooks.list() {
          deliveries += ["\(webhook.id)"] + (try await webhooks.deliveries(of: webhook.id)).map { "\($0)" }
        }
        return deliveries
      }
    }
  }
}

/// Feeds of both realms.
private struct PerRealmFeeds: Sendable {
  let live: RecordChangeFeed
  let sandbox: RecordChangeFeed

  subscript(realm: Realm) -> RecordChangeFeed { realm == .live ? live : sandbox }
}

extension HTTPField.Name {
  /// Read by nginx, which otherwise collects a response before it passes it on.
  static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
