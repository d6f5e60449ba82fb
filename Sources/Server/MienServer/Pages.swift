internal import HTTPTypes
internal import Hummingbird

private let everyPage: Set<String> = [
  "/check", "/demo", "/encode", "/decode", "/profile", "/verify", "/methodology", "/scan", "/scans",
  "/status", "/console",
]

/// Maps page paths to files: `/check` to `check.html`.
struct PageRewriteMiddleware<Context: RequestContext>: RouterMiddleware {
  static var pages: Set<String> { everyPage }

  /// Returns the page for a path; a capture's path includes its ID, which the page reads itself.
  private static func page(_ path: String) -> String? {
    if pages.contains(path) { return path }
    return path.hasPrefix("/verify/cap_") || path.hasPrefix("/verify/captest_") ? "/verify" : nil
  }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard request.method == .get || request.method == .head else { return try await next(request, context) }
    // The documentation links by relative paths.
    if request.uri.path == "/docs" { return .redirect(to: "/docs/", type: .permanent) }
    guard let page = Self.page(request.uri.path) else { return try await next(request, context) }
    var head = request.head
    head.path = page + ".html"
    return try await next(Request(head: head, body: request.body), context)
  }
}

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
