internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MienService
internal import NIOCore

/// Gives every request an id, counts it, writes it down as a job, and writes a line about it where that is wanted. The line has no
/// address, no path, no query and nothing of a body: an access log is not another place with people's data.
struct RequestObservabilityMiddleware: RouterMiddleware {
  let meter: RequestCounter
  let spans: RequestTracing
  /// nil writes no lines.
  let log: Logger?

  func handle(
    _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    // The server names every request in the logger; only a name from before it has to be put there.
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
        response = try await span.within { try await next(request, inner) }
      } else {
        response = try await next(request, context)
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

  /// Counts a request that was answered without the chain of middleware, writes it down as a job without parts, and writes its line.
  func note(_ request: Request, route: String, id: String, status: Int, since began: NIODeadline, ended: UnixTime) {
    meter.begin()
    let took = end(request, route, id, status: status, since: began)
    spans.write(request, route: route, status: status, ended: ended, after: took)
  }

  /// As it is written in the code; nil where no route took the request, which the server's reader of files calls by a name of its own.
  private static func route(_ context: ServerContext) -> String? {
    context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 }
  }

  /// The id that something before this server has given to a request; nil where it has to get one here.
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

  /// What a proxy may have named a request: 1 to 64 characters of `A–Z a–z 0–9 - _ .`; anything else gets a name of ours.
  static func isPlain(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || [45, 46, 95].contains(byte)
      }
  }
}

extension HTTPField.Name {
  static let requestID = HTTPField.Name("X-Request-ID")!
}
