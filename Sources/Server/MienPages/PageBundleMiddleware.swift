internal import HTTPTypes
public import Hummingbird
internal import Logging
internal import NIOCore

/// Serves the pages with their bundles: each page in four requests instead of about sixty.
///
/// Files with a digest in their name never change, so browsers keep them. A digest of another version of the server is answered with
/// the current file, so that a page works whose parts come from different servers of a cluster. `/NAME.html` is the page from its
/// separate sources.
public struct PageBundleMiddleware<Context: RequestContext>: RouterMiddleware {
  private let bundles: ClientBundles

  public init(_ bundles: ClientBundles) { self.bundles = bundles }

  public func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard request.method == .get || request.method == .head else { return try await next(request, context) }
    do {
      if let response = try await response(to: request) { return response }
    } catch {
      // A changed client that cannot be combined still works from its separate sources.
      context.logger.error("no bundle", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
    }
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.status == .notFound && Self.isForPeople(request) {
      guard let bundle = try? await bundles.bundle("not-found") else { throw error }
      return page(bundle, for: request, status: .notFound)
    }
  }

  /// Returns the response with a part of a bundle; `nil` for other addresses.
  private func response(to request: Request) async throws -> Response? {
    let path = request.uri.path
    if path.hasPrefix(ClientBundle.folder) {
      return try await file(String(path.dropFirst(ClientBundle.folder.count)), request)
    }
    if path == "/liveness.js" {
      let bundle = try await bundles.bundle(ClientBundle.element)
      return Self.reply(ByteBuffer(bytes: bundle.script), type: Self.javaScript, tag: bundle.scriptName, request)
    }
    guard let name = ClientPages.name(of: path) else { return nil }
    return page(try await bundles.bundle(name), for: request)
  }

  private func page(_ bundle: ClientBundle, for request: Request, status: HTTPResponse.Status = .ok) -> Response {
    let language = PageTexts.likelyLanguage(request.headers[.acceptLanguage], among: bundle.languages)
    let bytes = bundle.page(language)
    var response = Self.reply(
      ByteBuffer(bytes: bytes), type: "text/html; charset=utf-8", tag: ClientBundle.digest(bytes), request,
      status: status)
    response.headers[.vary] = "Accept-Language"
    return response
  }

  private func file(_ name: String, _ request: Request) async throws -> Response? {
    let parts = name.split(separator: ".").map(String.init)
    guard let first = parts.first, ClientPages.bundles.contains(first), parts.count >= 2 else { return nil }
    let bundle = try await bundles.bundle(first)
    switch (parts.last, parts.count) {
    case ("js", 2...3):
      return Self.reply(
        ByteBuffer(bytes: bundle.script), type: Self.javaScript, tag: bundle.scriptName, request,
        isKept: name == bundle.scriptName)
    case ("css", 2...3):
      return Self.reply(
        ByteBuffer(bytes: bundle.style), type: "text/css; charset=utf-8", tag: bundle.styleName, request,
        isKept: name == bundle.styleName)
    case ("json", 3...4):
      guard let texts = try await bundles.texts(of: bundle, in: parts[1]) else { return nil }
      return Self.reply(
        texts, type: "application/json; charset=utf-8", tag: "\(parts[1]).\(bundle.textsDigest)", request,
        isKept: parts.count == 4 && parts[2] == bundle.textsDigest)
    default: return nil
    }
  }

  private static var javaScript: String { "text/javascript; charset=utf-8" }

  private static func reply(
    _ bytes: ByteBuffer, type: String, tag: String, _ request: Request, status: HTTPResponse.Status = .ok,
    isKept: Bool = false
  ) -> Response {
    // Weak, since the same file is also sent in compressed form.
    let tag = "W/\"\(tag)\""
    let headers: HTTPFields = [
      .contentType: type, .eTag: tag, .cacheControl: isKept ? "public, max-age=31536000, immutable" : "no-cache",
    ]
    if status == .ok, request.headers[values: .ifNoneMatch].contains(where: { $0.contains(tag) }) {
      return Response(status: .notModified, headers: headers)
    }
    return Response(status: status, headers: headers, body: .init(byteBuffer: bytes))
  }

  /// Returns `true` if a person reads the response: browsers ask for HTML when an address is opened.
  private static func isForPeople(_ request: Request) -> Bool {
    let path = request.uri.path
    return request.headers[.accept]?.contains("text/html") == true
      && !["/v1/", "/v2/", "/assets/"].contains { path.hasPrefix($0) }
  }
}

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
