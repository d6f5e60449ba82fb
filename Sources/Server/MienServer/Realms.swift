internal import Hummingbird
internal import MienCore
public import MienPlatform
public import MienSecurity
public import MienAccess
public import MienWebhooks
public import MienChecks
public import MienCaptures
public import MienScanService
public import MienMessageService

/// Both realms of the server, and the mapping of requests to them. A key of one realm has no access to the other, whose
/// objects do not exist for it.
public struct Realms: Sendable {
  /// The services of a realm that every server has.
  public struct RealmContext: Sendable {
    let checks: LivenessCheckService
    let access: RealmAccess
    let webhooks: WebhookService
    /// Counts data deleted at the end of its retention period.
    let retention: PurgeCounter
    let signer: ResultSigner?
    let responses = ResultResponseCache()

    public init(
      checks: LivenessCheckService, access: RealmAccess, webhooks: WebhookService, retention: PurgeCounter,
      signer: ResultSigner?
    ) {
      self.checks = checks
      self.access = access
      self.webhooks = webhooks
      self.retention = retention
      self.signer = signer
    }

    /// Removes cached responses that are no longer requested. Call it about once a second.
    public func purgeResponses(at time: UnixTime) { responses.purgeExpired(at: time) }
  }

  public let live: RealmContext
  public let sandbox: RealmContext
  /// Metrics of both realms.
  let metrics: ServiceMetrics
  let clock: any ServiceClock
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

    subscript(realm: Realm) -> MessageService { realm == .live ? live : sandbox }
  }

  /// Capture services of both realms.
  public struct Captures: Sendable {
    let live: CaptureService
    let sandbox: CaptureService

    public init(live: CaptureService, sandbox: CaptureService) {
      self.live = live
      self.sandbox = sandbox
    }

    subscript(realm: Realm) -> CaptureService { realm == .live ? live : sandbox }
  }

  /// Scan services of both realms.
  public struct Scans: Sendable {
    let live: ScanService
    let sandbox: ScanService

    public init(live: ScanService, sandbox: ScanService) {
      self.live = live
      self.sandbox = sandbox
    }

    subscript(realm: Realm) -> ScanService { realm == .live ? live : sandbox }
  }

  public init(
    live: RealmContext, sandbox: RealmContext, metrics: ServiceMetrics, clock: any ServiceClock,
    messages: Messages? = nil, captures: Captures? = nil, scans: Scans? = nil
  ) {
    self.live = live
    self.sandbox = sandbox
    self.metrics = metrics
    self.clock = clock
    self.messages = messages
    self.captures = captures
    self.scans = scans
  }

  /// Returns the service that deletes the data of people and checks in a realm.
  func erasure(in context: RealmContext) -> DataErasure {
    let realm = context.checks.settings.realm
    return DataErasure(checks: context.checks, scans: scans?[realm], captures: captures?[realm])
  }

  subscript(realm: Realm) -> RealmContext { realm == .live ? live : sandbox }

  /// Returns the service of the realm that a check's ID belongs to.
  func checks(of check: CheckID) -> LivenessCheckService { self[Realm(of: check)].checks }
}
