internal import HTTPTypes
public import Hummingbird

/// Pages of the browser client and their addresses.
public enum ClientPages {
  static let pages: Set<String> = [
    "index", "check", "developers", "encode", "decode", "profile", "verify", "methodology", "scan", "scans", "status",
    "console",
  ]
  /// Bundles that exist.
  static let bundles = pages.union(["not-found", ClientBundle.element])

  /// Returns the page at a path; a capture's path includes its ID, which the page reads itself.
  static func name(of path: String) -> String? {
    if path == "/" { return "index" }
    if path.hasPrefix("/verify/cap_") || path.hasPrefix("/verify/captest_") { return "verify" }
    let name = String(path.dropFirst())
    return pages.contains(name) && name != "index" ? name : nil
  }
}

/// Maps page paths to files, `/check` to `check.html`, and old paths to new ones.
public struct PageRewriteMiddleware<Context: RequestContext>: RouterMiddleware {
  public init() {}

  public func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard request.method == .get || request.method == .head else { return try await next(request, context) }
    let path = request.uri.path
    // The documentation links by relative paths.
    if path == "/docs" { return .redirect(to: "/docs/", type: .permanent) }
    guard path != "/", let page = ClientPages.name(of: path) else { return try await next(request, context) }
    var head = request.head
    head.path = "/\(page).html"
    return try await next(Request(head: head, body: request.body), context)
  }
}
