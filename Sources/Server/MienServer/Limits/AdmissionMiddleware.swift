internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MienCore
internal import MienService
internal import Synchronization

/// Applies concurrency limits, per-address and per-key rate limits, and API-key scopes to every request.
///
/// Routes decide whether a key is required; this middleware rejects invalid keys.
struct AdmissionMiddleware<Observer: FaceTracking>: RouterMiddleware {
  private let spaces: Realms<Observer>
  private let addresses: IPRateLimiter
  private let limiter: ConcurrencyLimiter
  private let proxies: TrustedProxies
  private let demo: DemoAccess
  private let origins: Set<String>
  private let bodyPace: MinimumBodyRate
  private let bodies: BodyMemory
  private let unnamed: UnnamedProxies

  init(spaces: Realms<Observer>, settings: ServerSettings, logger: Logger) {
    self.spaces = spaces
    addresses = spaces.live.service.ipRateLimiter(
      perSecond: settings.requestsPerAddress, wrongKeysPerMinute: settings.wrongKeysPerMinute)
    proxies = settings.proxies
    (demo, origins) = (settings.demo, settings.allowedOrigins)
    bodies = settings.bodies
    unnamed = UnnamedProxies(logger: logger)
    limiter = ConcurrencyLimiter(limit: settings.maximumRequests)
    bodyPace = MinimumBodyRate(grace: settings.bodyGrace, bytesPerSecond: settings.minimumBodyRate)
  }

  func handle(
    _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard limiter.acquire() else {
      throw ServiceError(.busy, "The server is doing as much at once as it takes. Try again shortly.", retryAfter: 1)
    }
    defer { limiter.release() }
    var (request, context) = (request, context)
    context.proxies = proxies
    unnamed.observe(request, from: context.peer, proxies: proxies)
    // Local processes have other means to stop the server; a proxy on this machine names the clients of its requests.
    let address = context.isOwn(request) ? nil : context.caller(of: request)
    if let address { try addresses.admit(address) }
    context.isDemoAllowed = demo.lets(request, context, origins: origins)
    if let key = try Self.key(request) {
      context.keySpace = Realm(ofKey: key)
      context.key = try await admit(key, request, from: address)
    } else if let (secret, signedIn) = try await admitSignedIn(request, context) {
      context.keySpace = signedIn.space
      context.signedIn = signedIn
      // From here on, the cookie's secret is a credential like any other; sent by a client in this header, it is
      // rejected.
      var head = request.head
      head.headerFields[.authorization] = "Bearer \(secret)"
      request = Request(head: head, body: request.body)
    }
    let lease = BodyLease(bodies, client: Self.client(request, context, address))
    defer { lease.end() }
    let paced = bodyPace.watching(request, channel: context.channel)
    let inner = context
    return try await BodyLease.$current.withValue(lease) { try await next(paced, inner) }
  }

  private func admit(_ key: String, _ request: Request, from address: String?) async throws -> APIKeyRecord? {
    guard let apiKeys = spaces[Realm(ofKey: key)].service.apiKeys else { return nil }
    do {
      return try await apiKeys.admit(
        key, for: RequiredScope.needed(request.uri.path),
        reading: RequiredScope.isReading(request.method, request.uri.path))
    } catch let error as ServiceError where error.code == .unauthorized {
      // Only invalid keys are counted: another client behind the same address may have a valid one.
      if let address { try addresses.countWrongKey(of: address) }
      throw error
    }
  }

  /// Returns the session of a request's cookie after checking CSRF token and role; `nil` if the request has another
  /// credential or no valid cookie, so that it counts as unauthenticated.
  private func admitSignedIn(
    _ request: Request, _ context: ServerContext
  ) async throws -> (secret: String, signedIn: AuthenticatedSession)? {
    let path = request.uri.path
    guard request.headers[.authorization] == nil, request.headers[.token] == nil, RequiredScope.countsSignIn(path),
      let secret = SessionCookie.secret(request, context),
      let signedIn = try await spaces[Realm(ofKey: secret)].service.accounts?.signedIn(secret)
    else { return nil }
    if request.method != .get, request.method != .head {
      try CSRFProtection.expectOwn(request)
      try CSRFProtection.expectToken(request, of: signedIn)
    }
    let scope = RequiredScope.needed(path)
    guard signedIn.role.allows(scope, reading: RequiredScope.isReading(request.method, path)) else {
      throw ServiceError(.forbidden, "A \(signedIn.role.rawValue) may not do that.")
    }
    return (secret, signedIn)
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
        throw ServiceError(.unauthorized, "Being signed in is shown by the cookie alone.")
      }
    }
    // Routes must not use a different credential than the one checked here.
    guard token == nil || request.headers[.authorization] == nil else {
      throw ServiceError(.unauthorized, "Show one credential: in \"Authorization\" or in \"Token\", not in both.")
    }
    guard let secret = bearer ?? token else { return nil }
    return isKey(secret) ? secret : nil
  }

  private static func isKey(_ secret: String) -> Bool {
    !AccountService.isSession(secret) && Realm.allCases.contains { secret.utf8.starts(with: $0.keyPrefix.utf8) }
  }
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
