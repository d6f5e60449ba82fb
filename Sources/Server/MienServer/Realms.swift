internal import Hummingbird
internal import MienCore
public import MienService

/// Both realms of the server, and the mapping of requests to them. A key of one realm has no access to the other, whose
/// objects do not exist for it.
public struct Realms: Sendable {
  /// A realm: its service and the signer of its results.
  public struct RealmContext: Sendable {
    public let service: LivenessCheckService
    let signer: ResultSigner?
    let responses = ResultResponseCache()

    public init(service: LivenessCheckService, signer: ResultSigner?) {
      self.service = service
      self.signer = signer
    }

    /// Removes cached responses that are no longer requested. Call it about once a second.
    public func purgeResponses() { responses.purgeExpired(at: service.timeOfDay) }
  }

  public let live: RealmContext
  public let sandbox: RealmContext
  /// Message services; `nil` if messages are not served.
  let messages: Messages?
  /// Capture services; `nil` if captures are not served.
  let captures: Captures?
  /// Scan services; `nil` if scans are not served.
  let scans: Scans?

  /// Message services of both realms.
  public struct Messages: Sendable {
    let live: MessageService
    let sandbox: MessageService

    public init(live: MessageService, sandbox: MessageService) {
      self.live = live
      self.sandbox = sandbox
    }

    subscript(space: Realm) -> MessageService { space == .live ? live : sandbox }
  }

  /// Capture services of both realms.
  public struct Captures: Sendable {
    let live: CaptureService
    let sandbox: CaptureService

    public init(live: CaptureService, sandbox: CaptureService) {
      self.live = live
      self.sandbox = sandbox
    }

    subscript(space: Realm) -> CaptureService { space == .live ? live : sandbox }
  }

  /// Scan services of both realms.
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

  /// Returns the service that deletes the data of people and checks in a realm.
  func erasure(in realm: RealmContext) -> DataErasure {
    let space = realm.service.settings.space
    return DataErasure(checks: realm.service, scans: scans?[space], captures: captures?[space])
  }

  subscript(space: Realm) -> RealmContext { space == .live ? live : sandbox }

  /// Returns the service of the realm that a check's ID belongs to.
  func service(of check: CheckID) -> LivenessCheckService { self[Realm(of: check)].service }
}
