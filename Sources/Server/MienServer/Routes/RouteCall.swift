internal import Foundation
internal import Hummingbird
internal import MienCore
internal import MienPlatform

/// A request to a route whose policy has been enforced.
struct RouteCall: Sendable {
  let request: Request
  let context: ServerContext
  let policy: RoutePolicy

  /// Realm of the request's API key or session; the live realm without one.
  var realm: Realm { context.realm ?? .live }

  /// Secret in `Authorization: Bearer`, or `nil`. For a request with a session cookie, the secret of the session.
  var bearer: String? { RequestParsing.bearer(request) }

  /// `true` if the request has an API key or a session.
  var isAuthenticated: Bool { context.isAuthenticated }

  /// Client address to which the request is attributed.
  var address: String { context.caller(of: request) }

  /// Returns a parameter of the path; an empty string if there is none.
  func parameter(_ name: String = "id") -> String { context.parameters.get(name) ?? "" }

  /// Reads the whole body, up to the limit of the policy.
  func body() async throws -> [UInt8] { try await RequestParsing.body(request, upTo: policy.maximumBody) }

  /// Decodes a JSON body up to the limit of the policy; an empty body counts as `{}`.
  func json<Value: Decodable>(_: Value.Type) async throws -> Value {
    try RequestParsing.json(Value.self, request, Data(try await body()))
  }

  /// Throws unless the body has one of these media types.
  func expect(_ types: String...) throws { try RequestParsing.expect(request, types: types) }
}
