internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MienAccess
internal import MienChecks
internal import MienCore
internal import MienPlatform

/// Routes of the API with their policies, by path.
struct RouteTable: Sendable {
  /// A method and a path with the policy of requests to them.
  struct Route: Sendable {
    /// Pattern such as `/v1/checks/:id`; a trailing `**` matches any rest.
    let path: String
    let method: HTTPRequest.Method
    let policy: RoutePolicy
    fileprivate let pattern: [Substring]
  }

  private(set) var routes: [Route] = []

  mutating func add(_ path: String, _ method: HTTPRequest.Method, _ policy: RoutePolicy) {
    routes.append(Route(path: path, method: method, policy: policy, pattern: path.split(separator: "/")))
  }

  /// Methods supported by any path.
  var allMethods: Set<HTTPRequest.Method> { Self.withHead(routes.map(\.method)) }

  /// Returns the methods of the most specific pattern that matches a path, or an empty set if there is none.
  func methods(at path: String) -> Set<HTTPRequest.Method> { Self.withHead(routes(at: path).map(\.method)) }

  /// Returns the access of pages of other origins to a path; `none` if no route matches.
  func origins(at path: String) -> RoutePolicy.CrossOriginAccess { routes(at: path).first?.policy.origins ?? .none }

  /// Returns the routes of the most specific pattern that matches a path.
  private func routes(at path: String) -> [Route] {
    let parts = path.split(separator: "/")
    let found = routes.filter { Self.matches($0.pattern, parts) }
    let best = found.map { Self.literals($0.pattern) }.max { $0.lexicographicallyPrecedes($1) }
    return found.filter { Self.literals($0.pattern) == best }
  }

  private static func matches(_ pattern: [Substring], _ parts: [Substring]) -> Bool {
    let isOpen = pattern.last == "**"
    guard isOpen ? parts.count >= pattern.count : parts.count == pattern.count else { return false }
    return zip(isOpen ? pattern.dropLast() : pattern[...], parts).allSatisfy { $0.hasPrefix(":") || $0 == $1 }
  }

  /// Returns 1 for each literal component and 0 for each parameter.
  private static func literals(_ pattern: [Substring]) -> [Int] {
    pattern.map { $0.hasPrefix(":") || $0 == "**" ? 0 : 1 }
  }

  /// Adds `HEAD` where `GET` is supported.
  private static func withHead(_ methods: [HTTPRequest.Method]) -> Set<HTTPRequest.Method> {
    Set(methods).union(methods.contains(.get) ? [.head] : [])
  }
}

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

  /// Rejects bodies whose media type is neither that of a photo nor one of `others`. The actual format is detected later
  /// from the content.
  func expectPhoto(or others: String...) throws {
    let photos = ["image/jpeg", "image/png", "image/heic", "image/heif", "image/avif", "image/webp"]
    try RequestParsing.expect(request, types: photos + others)
  }
}

/// The check whose token a request carries.
struct CheckTokenHolder: Sendable {
  let realm: Realm
  let check: CheckRecord
  /// `true` until the token expires.
  let isOpen: Bool
}

extension RouteCall {
  /// Returns the check whose token is in the request; `nil` for requests with an API key, a session or no credential.
  ///
  /// - Throws: ``ServiceError`` with `unauthorized` for any other credential.
  func checkTokenHolder(in realms: Realms) async throws -> CheckTokenHolder? {
    guard !isAuthenticated, let secret = bearer else { return nil }
    guard secret.contains(".") else {
      try await realms.live.access.authorize(secret)
      return nil
    }
    // Each realm signs its tokens with its own key.
    for realm in Realm.allCases {
      guard let holder = try await realms[realm].checks.holder(of: secret) else { continue }
      return CheckTokenHolder(realm: realm, check: holder.check, isOpen: holder.isOpen)
    }
    throw ServiceError(
      .unauthorized, "This needs an API key or the token of a check: send it as \"Authorization: Bearer …\".")
  }
}
