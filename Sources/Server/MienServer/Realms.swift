internal import Hummingbird
internal import MienCore
public import MienService

/// The server's two worlds, and which one a request belongs to. Nothing of one can be reached with a key of the other:
/// there, it does not exist.
public struct Realms<Observer: FaceTracking>: Sendable {
  /// One world: its service and what signs its results.
  public struct RealmContext: Sendable {
    public let service: LivenessCheckService<Observer>
    let signer: ResultSigner?
    let shelf = ResultResponseCache()

    public init(service: LivenessCheckService<Observer>, signer: ResultSigner?) {
      self.service = service
      self.signer = signer
    }

    /// Forgets replies that nobody asks for any more. Call it every second or so.
    public func purgeResponses() { shelf.tidy(at: service.timeOfDay) }
  }

  public let live: RealmContext
  public let sandbox: RealmContext
  /// The messages of both worlds; nil where there are none.
  let messages: Messages?
  /// The captures of both worlds; nil where there are none.
  let captures: Captures?
  /// The scans of both worlds; nil where there are none.
  let scans: Scans?

  /// The messages of the two worlds.
  public struct Messages: Sendable {
    let live: MessageService<Observer>
    let sandbox: MessageService<Observer>

    public init(live: MessageService<Observer>, sandbox: MessageService<Observer>) {
      self.live = live
      self.sandbox = sandbox
    }

    subscript(space: Realm) -> MessageService<Observer> { space == .live ? live : sandbox }
  }

  /// The captures of the two worlds.
  public struct Captures: Sendable {
    let live: CaptureService
    let sandbox: CaptureService

    public init(live: CaptureService, sandbox: CaptureService) {
      self.live = live
      self.sandbox = sandbox
    }

    subscript(space: Realm) -> CaptureService { space == .live ? live : sandbox }
  }

  /// The depth scans of the two worlds.
  public struct Scans: Sendable {
    let live: ScanService
    let sandbox: ScanService

    public init(live: ScanService, sandbox: ScanService) {
      self.live = live
      self.sandbox = sandbox
    }

    subscript(space: Realm) -> ScanService { space == .live ? live : sandbox }
  }

  public init(
    live: RealmContext, sandbox: RealmContext, messages: Messages? = nil, captures: Captures? = nil, scans: Scans? = nil
  ) {
    self.live = live
    self.sandbox = sandbox
    self.messages = messages
    self.captures = captures
    self.scans = scans
  }

  /// Erases what belongs to people and checks of one world.
  func erasure(in realm: RealmContext) -> DataErasure<Observer> {
    let space = realm.service.settings.space
    return DataErasure(checks: realm.service, scans: scans?[space], captures: captures?[space])
  }

  subscript(space: Realm) -> RealmContext { space == .live ? live : sandbox }

  /// The world of the API key that a request shows; refuses who shows none.
  func authorized(_ request: Request) async throws -> RealmContext {
    try await authorized(key: RequestParsing.bearer(request))
  }

  /// The same for a request that has passed the doorman: the key that he let in need not be looked at again.
  func authorized(_ request: Request, _ context: ServerContext) async throws -> RealmContext {
    guard context.key != nil, let space = context.keySpace, RequestParsing.bearer(request) != nil else {
      return try await authorized(request)
    }
    return self[space]
  }

  /// The world of an API key; refuses who does not hold it.
  func authorized(key: String?) async throws -> RealmContext {
    let realm = self[key.map { Realm(ofKey: $0) } ?? .live]
    try await realm.service.authorize(key: key)
    return realm
  }

  /// The service that a check belongs to by its id.
  func service(of check: CheckID) -> LivenessCheckService<Observer> { self[Realm(of: check)].service }
}
