internal import MienCore
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MienPlatform
internal import NIOCore

/// Assigns an ID to every request, counts it, traces it and optionally writes it to the access log. Log entries contain
/// no address, path, query or body, so that the log stores no personal data.
struct RequestObservability: Sendable {
  let meter: RequestCounter
  let spans: RequestTracing
  /// Access log, or `nil` for none.
  let log: Logger?

  /// Responds to a request with `work`, which receives a context whose logger has the request's ID.
  func observing(
    _ request: Request, _ context: ServerContext, _ work: (ServerContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    // The server adds its own request ID to the logger; only an ID assigned by a proxy must be added here.
    let given = Self.given(request)
    if let given { context.logger[metadataKey: "hb.request.id"] = "\(given)" }
    let id = given ?? context.id
    meter.begin()
    let span = spans.begin(request)
    let began = NIODeadline.now()
    do {
      var response: Response
      if let span {
        let inner = context
        response = try await span.within { try await work(inner) }
      } else {
        response = try await work(context)
      }
      end(request, Self.route(context), id, status: response.status.code, since: began)
      if let span { spans.end(span, request.method, route: Self.route(context), status: response.status.code) }
      response.headers.append(HTTPField(name: .requestID, value: id))
      return response
    } catch {
      let status = (error as? any HTTPResponseError)?.status.code ?? 500
      end(request, Self.route(context), id, status: status, since: began)
      if let span { spans.end(span, request.method, route: Self.route(context), status: status) }
      throw error
    }
  }

  /// Counts, traces and logs a request that was answered on the event loop of its connection.
  func note(_ request: Request, route: String, id: String, status: Int, since began: NIODeadline, ended: UnixTime) {
    meter.begin()
    let took = end(request, route, id, status: status, since: began)
    spans.write(request, route: route, status: status, ended: ended, after: took)
  }

  /// Returns the route pattern, or `nil` if no route matched; the file middleware reports this as `NotFound`.
  private static func route(_ context: ServerContext) -> String? {
    context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 }
  }

  /// Returns the request ID assigned by a proxy, or `nil` if there is none that is acceptable.
  static func given(_ request: Request) -> String? { request.headers[.requestID].flatMap { isPlain($0) ? $0 : nil } }

  @discardableResult
  private func end(
    _ request: Request, _ route: String?, _ id: String, status: Int, since began: NIODeadline
  ) -> Duration {
    let took = NIODeadline.now() - began
    meter.end(request.method, route: route, status: status, took: .nanoseconds(took.nanoseconds))
    log?.info(
      "request",
      metadata: [
        "id": "\(id)", "method": "\(request.method.rawValue.prefix(16))", "route": "\(route ?? "none")",
        "status": "\(status)", "ms": "\(took.nanoseconds / 1_000_000)",
      ])
    return .nanoseconds(took.nanoseconds)
  }

  /// Returns `true` for an acceptable request ID of 1 to 64 characters of `A–Z a–z 0–9 - _ .`; others are replaced.
  static func isPlain(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy { $0.isIdentifierCharacter || $0 == UInt8(ascii: ".") }
  }
}

extension HTTPField.Name {
  static let requestID = HTTPField.Name("X-Request-ID")!
}
