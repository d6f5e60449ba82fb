internal import Hummingbird

/// Gives the pages their plain addresses: `/check` is the file `check.html`.
struct PageAddresses<Context: RequestContext>: RouterMiddleware {
  static var pages: Set<String> { ["/check", "/demo", "/encode", "/decode", "/profile"] }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard request.method == .get || request.method == .head, Self.pages.contains(request.uri.path) else {
      return try await next(request, context)
    }
    var head = request.head
    head.path = request.uri.path + ".html"
    return try await next(Request(head: head, body: request.body), context)
  }
}
