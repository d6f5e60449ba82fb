internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Gives every request an id, counts it, and writes a line about it where that is wanted. The line has no address, no path, no
/// query and nothing of a body: an access log is not another place with people's data.
struct RequestWatch: RouterMiddleware {
  let meter: RequestMeter
  /// nil writes no lines.
  let log: Logger?

  func handle(
    _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let id = request.headers[.requestID].flatMap { Self.isPlain($0) ? $0 : nil } ?? context.id
    var context = context
    context.logger[metadataKey: "hb.request.id"] = "\(id)"
    meter.begin()
    let watched = context
    var outcome: Result<Response, any Error>?
    let took = await ContinuousClock().measure {
      do { outcome = .success(try await next(request, watched)) } catch { outcome = .failure(error) }
    }
    guard let outcome else { preconditionFailure("a measured piece of work has an outcome") }
    let status =
      switch outcome {
      case .success(let response): response.status.code
      case .failure(let error): (error as? any HTTPResponseError)?.status.code ?? 500
      }
    meter.end(request.method, route: context.endpointPath, status: status, took: took)
    log?.info(
      "request",
      metadata: [
        "id": "\(id)", "method": "\(request.method.rawValue.prefix(16))", "route": "\(context.endpointPath ?? "none")",
        "status": "\(status)",
        "ms": "\(took.components.seconds * 1000 + took.components.attoseconds / 1_000_000_000_000_000)",
      ])
    var response = try outcome.get()
    response.headers[.requestID] = id
    return response
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
  static var requestID: HTTPField.Name { HTTPField.Name("X-Request-ID")! }
}
