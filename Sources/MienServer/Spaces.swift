internal import Hummingbird
internal import MienModel
public import MienService

/// The server's two worlds, and which one a request belongs to. Nothing of one can be reached with a key of the other:
/// there, it does not exist.
public struct Spaces<Observer: FaceObserver>: Sendable {
  /// One world: its service and what signs its results.
  public struct House: Sendable {
    public let service: CheckService<Observer>
    let signer: ResultSigner?
    let shelf = ReplyShelf()

    public init(service: CheckService<Observer>, signer: ResultSigner?) {
      self.service = service
      self.signer = signer
    }

    /// Forgets replies that nobody asks for any more. Call it every second or so.
    public func tidyReplies() { shelf.tidy(at: service.timeOfDay) }
  }

  public let live: House
  public let sandbox: House
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

    subscript(space: Space) -> MessageService<Observer> { space == .live ? live : sandbox }
  }

  /// The captures of the two worlds.
  public struct Captures: Sendable {
    let live: CaptureService
    let sandbox: CaptureService

    public init(live: CaptureService, sandbox: CaptureService) {
      self.live = live
      self.sandbox = sandbox
    }

    subscript(space: Space) -> CaptureService { space == .live ? live : sandbox }
  }

  /// The depth scans of the two worlds.
  public struct Scans: Sendable {
    let live: ScanService
    let sandbox: ScanService

    public init(live: ScanService, sandbox: ScanService) {
      self.live = live
      self.sandbox = sandbox
    }

    subscript(space: Space) -> ScanService { space == .live ? live : sandbox }
  }

  public init(
    live: House, sandbox: House, messages: Messages? = nil, captures: Captures? = nil, scans: Scans? = nil
  ) {
    self.live = live
    self.sandbox = sandbox
    self.messages = messages
    self.captures = captures
    self.scans = scans
  }

  /// Erases what belongs to people and checks of one world.
  func erasure(in house: House) -> DataErasure<Observer> {
    let space = house.service.settings.space
    return DataErasure(checks: house.service, scans: scans?[space], captures: captures?[space])
  }

  subscript(space: Space) -> House { space == .live ? live : sandbox }

  /// The world of the API key that a request shows; refuses who shows none.
  func authorised(_ request: Request) async throws -> House {
    try await authorised(key: Requests.bearer(request))
  }

  /// The same for a request that has passed the doorman: the key that he let in need not be looked at again.
  func authorised(_ request: Request, _ context: ServerContext) async throws -> House {
    guard context.key != nil, let space = context.keySpace, Requests.bearer(request) != nil else {
      return try await authorised(request)
    }
    return self[space]
  }

  /// The world of an API key; refuses who does not hold it.
  func authorised(key: String?) async throws -> House {
    let house = self[key.map { Space(ofKey: $0) } ?? .live]
    try await house.service.authorise(key: key)
    return house
  }

  /// The service that a check belongs to by its id.
  func service(of check: SessionID) -> CheckService<Observer> { self[Space(of: check)].service }
}
