internal import Hummingbird

private let everyPage: Set<String> = [
  "/check", "/demo", "/encode", "/decode", "/profile", "/verify", "/methodology", "/scan", "/scans",
  "/status",
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
    guard request.method == .get || request.method == .head, let page = Self.page(request.uri.path) else {
      return try await next(request, context)
    }
    var head = request.head
    head.path = page + ".html"
    return try await next(Request(head: head, body: request.body), context)
  }
}
