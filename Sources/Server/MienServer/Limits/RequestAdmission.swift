internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienCaptures
internal import MienMessageService
internal import Synchronization

/// Applies concurrency limits, per-address and per-key rate limits, and the credentials that a route's policy requires.
struct RequestAdmission: Sendable {
  private let realms: Realms
  private let addresses: IPRateLimiter
  private let limiter: ConcurrencyLimiter
  private let proxies: TrustedProxies
  private let demo: DemoAccess
  private let origins: Set<String>
  private let bodyRate: MinimumBodyRate
  private let bodies: BodyMemory
  private let unnamed: UnnamedProxies

  init(realms: Realms, settings: ServerSettings, logger: Logger) {
    self.realms = realms
    addresses = IPRateLimiter(
      clock: realms.clock, perSecond: settings.requestsPerAddress, wrongKeysPerMinute: settings.wrongKeysPerMinute)
    proxies = settings.proxies
    (demo, origins) = (settings.demo, settings.allowedOrigins)
    bodies = settings.bodies
    unnamed = UnnamedProxies(logger: logger)
    limiter = ConcurrencyLimiter(limit: settings.maximumRequests)
    bodyRate = MinimumBodyRate(grace: settings.bodyGrace, bytesPerSecond: settings.minimumBodyRate)
  }

  /// Responds to a request with `handler` if the limits and the policy allow it.
  ///
  /// - Throws: ``ServiceError`` of the rejection.
  func admitting(
    _ request: Request, _ context: ServerContext, under policy: RoutePolicy,
    _ handler: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard limiter.acquire() else {
      throw ServiceError(
        .busy, "The server is processing the maximum number of requests. Try again shortly.", retryAfter: 1)
    }
    defer { limiter.release() }
    var (request, context) = (request, context)
    context.proxies = proxies
    unnamed.observe(request, from: context.peer, proxies: proxies)
    // Local processes have other means to stop the server; a proxy on this machine names the clients of its requests.
    let address = context.isOwn(request) ? nil : context.caller(of: request)
    if let address { try addresses.admit(address) }
    try await authenticate(&request, &context, under: policy, from: address)
    if let rate = policy.rate { try await admit(request, context, rate) }
    guard request.hasBody else { return try await handler(request, context) }
    let lease = BodyLease(bodies, client: Self.client(request, context, address))
    defer { lease.end() }
    let (limited, inner) = (bodyRate.watching(request, channel: context.channel), context)
    return try await BodyLease.$current.withValue(lease) { try await handler(limited, inner) }
  }

  /// Evaluates the credentials of a request and stores them in its context.
  private func authenticate(
    _ request: inout Request, _ context: inout ServerContext, under policy: RoutePolicy, from address: String?
  ) async throws {
    if let key = try Self.key(request) {
      let realm = Realm(ofKey: key)
      context.realm = realm
      context.key = try await admit(key, policy, request.method, in: realm, from: address)
      context.isAuthenticated = context.key != nil && key == Self.credential(request, policy)
    } else if policy.credentials.contains(.session),
      let (secret, session) = try await admitSession(request, context, policy)
    {
      context.realm = session.realm
      context.signedIn = session
      context.isAuthenticated = true
      // From here on, the cookie's secret is a credential like any other; sent by a client in this header, it is
      // rejected.
      var head = request.head
      head.headerFields[.authorization] = "Bearer \(secret)"
      request = Request(head: head, body: request.body)
    }
    if policy.credentials == .demo {
      guard demo.lets(request, context, origins: origins) else { throw Self.demoDisabled }
      return
    }
    guard !context.isAuthenticated else { return }
    let credential = Self.credential(request, policy)
    if credential != nil {
      if policy.credentials.contains(.token) { return }
    } else if policy.credentials.contains(.none)
      || policy.credentials.contains(.demo) && demo.lets(request, context, origins: origins)
    {
      return
    }
    try await realms[context.realm ?? .live].access.authorize(credential)
    context.isAuthenticated = true
  }

  private static func credential(_ request: Request, _ policy: RoutePolicy) -> String? {
    policy.credentials.contains(.tokenHeader) ? request.headers[.token] : RequestParsing.bearer(request)
  }

  private static var demoDisabled: ServiceError {
    ServiceError(
      .demoDisabled,
      "Checks without an API key are turned off, or limited to this machine's own pages. Start the server with --demo, or use "
        + "a key.")
  }

  /// Returns the record of an API key.
  private func admit(
    _ key: String, _ policy: RoutePolicy, _ method: HTTPRequest.Method, in realm: Realm, from address: String?
  ) async throws -> APIKeyRecord {
    do {
      return try await realms[realm].access.keys.admit(key, for: policy.scope, reading: policy.isReading(method))
    } catch let error as ServiceError where error.code == .unauthorized {
      // Only invalid keys are counted: another client behind the same address may have a valid one.
      if let address { try addresses.countWrongKey(of: address) }
      throw error
    }
  }

  /// Returns the session of a request's cookie after checking CSRF token and role; `nil` if the request has another
  /// credential or no valid cookie, so that it counts as unauthenticated.
  private func admitSession(
    _ request: Request, _ context: ServerContext, _ policy: RoutePolicy
  ) async throws -> (secret: String, session: AuthenticatedSession)? {
    guard request.headers[.authorization] == nil, request.headers[.token] == nil,
      let secret = SessionCookie.secret(request, context),
      let session = try await realms[Realm(ofKey: secret)].access.accounts.signedIn(secret)
    else { return nil }
    if request.method != .get, request.method != .head {
      try CSRFProtection.expectOwn(request)
      try CSRFProtection.expectToken(request, of: session)
    }
    guard session.role.allows(policy.scope, reading: policy.isReading(request.method)) else {
      throw ServiceError(.forbidden, "A \(session.role.rawValue) may not do that.")
    }
    return (secret, session)
  }

  /// Counts a request without an API key against the limit of its address.
  private func admit(_ request: Request, _ context: ServerContext, _ rate: RoutePolicy.RateLimit) async throws {
    switch rate {
    case .captures(let kind):
      guard !context.isAuthenticated else { return }
      try await realms.captures?.live.admit(kind, of: context.caller(of: request))
    case .messages(let kind):
      let realm = context.messageRealm
      guard context.key == nil || context.realm != realm else { return }
      try await realms.messages?[realm].admit(kind, of: context.caller(of: request))
    }
  }

  /// Returns the client to which the memory of a request's body is charged: a key or user, else an address, else a
  /// local token.
  private static func client(_ request: Request, _ context: ServerContext, _ address: String?) -> String {
    if let actor = context.actor { return actor }
    if let address { return "address/\(address)" }
    return RequestParsing.bearer(request).map { "token/\($0)" } ?? "this machine"
  }

  /// Returns the API key in a request; other secrets are handled by their routes.
  private static func key(_ request: Request) throws -> String? {
    let (bearer, token) = (RequestParsing.bearer(request), request.headers[.token])
    for secret in [bearer, token] {
      guard secret.map(AccountService.isSession) != true else {
        throw ServiceError(.unauthorized, "A session is accepted only as a cookie.")
      }
    }
    // Routes must not use a different credential than the one checked here.
    guard token == nil || request.headers[.authorization] == nil else {
      throw ServiceError(.unauthorized, "Send one credential: in \"Authorization\" or in \"Token\", not in both.")
    }
    guard let secret = bearer ?? token else { return nil }
    return isKey(secret) ? secret : nil
  }

  private static func isKey(_ secret: String) -> Bool {
    !AccountService.isSession(secret) && Realm.allCases.contains { secret.utf8.starts(with: $0.keyPrefix.utf8) }
  }
}

extension Request {
  /// `true` if the head announces a body.
  fileprivate var hasBody: Bool { headers[.contentLength] != nil || headers[.transferEncoding] != nil }
}

/// Limit on the number of concurrent requests.
private final class ConcurrencyLimiter: Sendable {
  private let limit: Int
  private let count = Mutex(0)

  init(limit: Int) { self.limit = limit }

  func acquire() -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func release() { count.withLock { $0 -= 1 } }
}
