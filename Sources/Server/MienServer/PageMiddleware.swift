internal import HTTPTypes
internal import Hummingbird
internal import MienPlatform

/// Sends requests that no route of the API handles through ``RequestPipeline``: pages, their files, and addresses that
/// do not exist.
struct PageMiddleware: RouterMiddleware {
  let pipeline: RequestPipeline
  let table: RouteTable

  func handle(
    _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    return try await pipeline.respond(
      to: request, context: context, under: Self.isClientFile(path) ? .clientFile : .page,
      preflightOrigins: request.method == .options ? table.origins(at: path) : nil
    ) { request, context in
      try await next(request, context)
    }
  }

  /// Returns `true` for the files of the browser client that other pages may load.
  private static func isClientFile(_ path: String) -> Bool { path == "/liveness.js" || path.hasPrefix("/assets/") }
}

/// Responds to requests with an unsupported method with the list of supported ones (RFC 9110, sections 9.3.7 and
/// 15.5.6).
///
/// The middleware is placed before the page files, which decide themselves whether a file exists.
struct MethodNotAllowedMiddleware: RouterMiddleware {
  let table: RouteTable

  func handle(
    _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound {
      let isOfServer = request.head.path == "*"
      var methods = isOfServer ? table.allMethods : table.methods(at: request.uri.path)
      if methods.isDisjoint(with: [.get, .head]), request.method != .get, request.method != .head,
        try await isFile(request, context, next)
      {
        methods.formUnion([.get, .head])
      }
      // A route that supports the method has itself reported that the resource does not exist; no route handles the
      // whole server.
      guard !methods.isEmpty, isOfServer && request.method == .options || !methods.contains(request.method) else {
        throw error
      }
      methods.insert(.options)
      let allow = methods.map(\.rawValue).sorted().joined(separator: ", ")
      if request.method == .options {
        return Response(status: .noContent, headers: [.allow: allow, .cacheControl: "no-store"])
      }
      var response = ProblemDetails.response(
        ServiceError(.methodNotAllowed, "This address does not support this method; it supports \(allow)."))
      response.headers[.allow] = allow
      return response
    }
  }

  private func isFile(
    _ request: Request, _ context: ServerContext,
    _ next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Bool {
    var head = request.head
    head.method = .head
    do {
      return try await next(Request(head: head, body: RequestBody(buffer: ByteBuffer())), context).status == .ok
    } catch let error as HTTPError where error.status == .notFound {
      return false
    }
  }
}
