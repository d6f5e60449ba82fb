internal import HTTPTypes
internal import Hummingbird
internal import MienService

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
      var methods = isOfServer ? table.all : table.methods(at: request.uri.path)
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
        ServiceError(.methodNotAllowed, "This address does not know this method; it knows \(allow)."))
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

/// Methods that the routes support, by path.
struct RouteTable: Sendable {
  private let routes: [(pattern: [Substring], method: HTTPRequest.Method)]

  /// - Parameter routes: path patterns such as `/v1/checks/:id`; a trailing `**` matches any rest.
  init(_ routes: [(path: String, method: HTTPRequest.Method)]) {
    self.routes = routes.map { ($0.path.split(separator: "/"), $0.method) }
  }

  /// Methods supported by any path.
  var all: Set<HTTPRequest.Method> { Self.withHead(routes.map(\.method)) }

  /// Returns the methods of the most specific route that matches a path, or an empty set if there is none.
  func methods(at path: String) -> Set<HTTPRequest.Method> {
    let parts = path.split(separator: "/")
    let found = routes.filter { Self.fits($0.pattern, parts) }
    let best = found.map { Self.words($0.pattern) }.max { $0.lexicographicallyPrecedes($1) }
    return Self.withHead(found.filter { Self.words($0.pattern) == best }.map(\.method))
  }

  private static func fits(_ pattern: [Substring], _ parts: [Substring]) -> Bool {
    let isOpen = pattern.last == "**"
    guard isOpen ? parts.count >= pattern.count : parts.count == pattern.count else { return false }
    return zip(isOpen ? pattern.dropLast() : pattern[...], parts).allSatisfy { isParameter($0) || $0 == $1 }
  }

  /// Returns 1 for each literal component and 0 for each parameter.
  private static func words(_ pattern: [Substring]) -> [Int] {
    pattern.map { isParameter($0) || $0 == "**" ? 0 : 1 }
  }

  /// Matches `:id`, which the router also writes as `{id}`, possibly with text around it.
  private static func isParameter(_ part: Substring) -> Bool { part.hasPrefix(":") || part.contains("{") }

  /// Adds `HEAD` where `GET` is supported.
  private static func withHead(_ methods: [HTTPRequest.Method]) -> Set<HTTPRequest.Method> {
    Set(methods).union(methods.contains(.get) ? [.head] : [])
  }
}
