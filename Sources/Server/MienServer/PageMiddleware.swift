internal import Hummingbird

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
