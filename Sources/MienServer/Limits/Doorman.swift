internal import HTTPTypes
internal import Hummingbird
internal import MienModel
internal import MienService
internal import Synchronization

/// Who may come in: so many at a time, each address and each key so often, and with a key only for what it is good for.
///
/// Whether an address asks for a key at all is for its route to say; here a key that is shown must be a good one.
struct Doorman<Observer: FaceObserver>: RouterMiddleware {
  private let spaces: Spaces<Observer>
  private let addresses: AddressDesk
  private let crowd: Crowd
  private let bodyPace: BodyPace

  init(spaces: Spaces<Observer>, settings: ServerSettings) {
    self.spaces = spaces
    addresses = spaces.live.service.addressDesk(
      perSecond: settings.requestsPerAddress, wrongKeysPerMinute: settings.wrongKeysPerMinute)
    crowd = Crowd(limit: settings.maximumRequests)
    bodyPace = BodyPace(grace: settings.bodyGrace, bytesPerSecond: settings.minimumBodyRate)
  }

  func handle(
    _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard crowd.enter() else {
      throw ServiceError(.busy, "The server is doing as much at once as it takes. Try again shortly.", retryAfter: 1)
    }
    defer { crowd.leave() }
    // Whoever is on this machine needs no request to stop the server; a proxy here names whom it speaks for.
    let address = context.isOwn(request) ? nil : context.caller(of: request)
    if let address { try await addresses.admit(address) }
    var context = context
    if let key = Self.key(request) {
      context.keySpace = Space(ofKey: key)
      context.key = try await admit(key, request, from: address)
    }
    return try await next(bodyPace.watching(request, channel: context.channel), context)
  }

  private func admit(_ key: String, _ request: Request, from address: String?) async throws -> KeyRecord? {
    guard let desk = spaces[Space(ofKey: key)].service.desk else { return nil }
    if let address { try await addresses.admitKey(of: address) }
    do {
      return try await desk.admit(
        key, for: RouteScope.needed(request.uri.path), reading: RouteScope.isReading(request.method))
    } catch let error as ServiceError where error.code == .unauthorised {
      if let address { await addresses.sawWrongKey(of: address) }
      throw error
    }
  }

  /// The API key that a request shows; other secrets are their routes' business.
  private static func key(_ request: Request) -> String? {
    guard let secret = Requests.bearer(request) ?? request.headers[.token] else { return nil }
    return Space.allCases.contains { secret.hasPrefix($0.keyPrefix) } ? secret : nil
  }
}

/// How many requests are being answered.
private final class Crowd: Sendable {
  private let limit: Int
  private let count = Mutex(0)

  init(limit: Int) { self.limit = limit }

  func enter() -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func leave() { count.withLock { $0 -= 1 } }
}
