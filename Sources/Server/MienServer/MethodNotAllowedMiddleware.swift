internal import HTTPTypes
internal import Hummingbird
internal import MienService

/// Tells a request with a method that an address does not know which ones it does (RFC 9110, sections 9.3.7 and 15.5.6).
///
/// It stands before the files of the pages: what they show is theirs to know.
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
      // A route that knows the method has said itself that there is nothing; of the whole server none says anything.
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

/// Which methods the routes know at which addresses.
struct RouteTable: Sendable {
  private let routes: [(pattern: [Substring], method: HTTPRequest.Method)]

  /// - Parameter routes: as they are written in the code, such as `/v1/checks/:id`; `**` at the end is any rest.
  init(_ routes: [(path: String, method: HTTPRequest.Method)]) {
    self.routes = routes.map { ($0.path.split(separator: "/"), $0.method) }
  }

  /// Whatever any address knows.
  var all: Set<HTTPRequest.Method> { Self.withHead(routes.map(\.method)) }

  /// The methods at an address, of the route that says most of it in words; empty where there is none.
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

  /// 1 for each word and 0 for each parameter.
  private static func words(_ pattern: [Substring]) -> [Int] {
    pattern.map { isParameter($0) || $0 == "**" ? 0 : 1 }
  }

  /// The router writes `:id` as `{id}`, and what stands around it beside that.
  private static func isParameter(_ part: Substring) -> Bool { part.hasPrefix(":") || part.contains("{") }

  /// What may be read may be asked about.
  private static func withHead(_ methods: [HTTPRequest.Method]) -> Set<HTTPRequest.Method> {
    Set(methods).union(methods.contains(.get) ? [.head] : [])
  }
}
