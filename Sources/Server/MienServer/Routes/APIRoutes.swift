internal import HTTPTypes
internal import Hummingbird

/// Collects the routes of the API. Each is added with its policy and handled behind ``RequestPipeline``.
struct APIRoutes {
  private let router: Router<ServerContext>
  private let pipeline: RequestPipeline
  private(set) var table = RouteTable()

  init(router: Router<ServerContext>, pipeline: RequestPipeline) {
    self.router = router
    self.pipeline = pipeline
  }

  /// Adds a route.
  ///
  /// - Parameter path: pattern such as `/v1/checks/:id`; a trailing `**` matches any rest.
  mutating func on(
    _ method: HTTPRequest.Method, _ path: String, _ policy: RoutePolicy,
    use handler: @escaping @Sendable (RouteCall) async throws -> Response
  ) {
    table.add(path, method, policy)
    let responder = RouteResponder(pipeline: pipeline, policy: policy, handler: handler)
    router.on(RouterPath(path), method: method, responder: responder)
  }

  mutating func get(
    _ path: String, _ policy: RoutePolicy, use handler: @escaping @Sendable (RouteCall) async throws -> Response
  ) { on(.get, path, policy, use: handler) }

  mutating func post(
    _ path: String, _ policy: RoutePolicy, use handler: @escaping @Sendable (RouteCall) async throws -> Response
  ) { on(.post, path, policy, use: handler) }

  mutating func put(
    _ path: String, _ policy: RoutePolicy, use handler: @escaping @Sendable (RouteCall) async throws -> Response
  ) { on(.put, path, policy, use: handler) }

  mutating func patch(
    _ path: String, _ policy: RoutePolicy, use handler: @escaping @Sendable (RouteCall) async throws -> Response
  ) { on(.patch, path, policy, use: handler) }

  mutating func delete(
    _ path: String, _ policy: RoutePolicy, use handler: @escaping @Sendable (RouteCall) async throws -> Response
  ) { on(.delete, path, policy, use: handler) }
}

/// Responds to the requests of one route.
private struct RouteResponder: HTTPResponder {
  let pipeline: RequestPipeline
  let policy: RoutePolicy
  let handler: @Sendable (RouteCall) async throws -> Response

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    try await pipeline.respond(to: request, context: context, under: policy) { request, context in
      try await handler(RouteCall(request: request, context: context, policy: policy))
    }
  }
}
