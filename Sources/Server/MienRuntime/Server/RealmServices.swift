internal import Foundation
internal import Logging
internal import MienAccess
internal import MienAuthenticity
internal import MienBlobs
internal import MienCaptures
internal import MienChecks
internal import MienMessageService
package import MienPlatform
internal import MienScanPipeline
internal import MienScanService
internal import MienSecurity
internal import MienServer
internal import MienTracking
internal import MienVideo
internal import MienWebhooks
internal import ServiceLifecycle

/// Resources that the services of both realms share.
struct SharedResources: Sendable {
  let settings: RuntimeSettings
  let tracker: FaceTrackerPool
  /// Compares faces; `nil` without the recognition model.
  let comparer: FaceComparer?
  /// The network of the texture check.
  let textureNetwork: any TextureFeatureReading
  let metrics: ServiceMetrics
  /// Capacity for the analysis of captures.
  let scheduler: AnalysisScheduler
  let verifier: (any AttestationVerifier)?
  /// Reads content credentials; `nil` without the C2PA library.
  let provenance: (@Sendable ([UInt8]) async -> ProvenanceOutcome)?
  /// Adds content credentials; `nil` without a certificate.
  let signing: CredentialSigning?
  let clock = SystemClock()
  /// Raised when a scan was queued.
  let queuedScans = WorkSignal()

  var traces: TracingContext { metrics.times.traces }
}

/// Services of one realm.
struct RealmServices: Sendable {
  let realm: Realm
  let checks: LivenessCheckService
  let access: RealmAccess
  let webhooks: WebhookService
  /// Counts data deleted at the end of its retention period.
  let retention = PurgeCounter()
  let messages: MessageService
  let captures: CaptureService
  let scans: ScanService
  /// Signer of results.
  let signer: ResultSigner
  private let store: any ServerStore
  private let keyring: MasterKeyring
  private let dispatcher: WebhookDispatcher

  init(
    _ realm: Realm, store: any ServerStore, blobs: EncryptedBlobStore, _ shared: SharedResources
  ) async throws {
    self.realm = realm
    self.store = store
    let clock = shared.clock
    var generator = SystemRandomNumberGenerator()
    keyring = try shared.settings.store.keyring(realm)
    signer = try await ResultSigner(store: store, keyring: keyring, at: clock.timeOfDay(), using: &generator)
    let tokens = try await SessionTokens(store: store, keyring: keyring, at: clock.timeOfDay(), using: &generator)
    access = Self.access(realm, store, keyring, shared)
    checks = try Self.checks(realm, store, keyring, tokens, retention: retention, shared)
    webhooks = WebhookService(store: store, keyring: keyring, clock: clock, generator: generator)
    dispatcher = WebhookDispatcher(
      store: store, keyring: keyring,
      carrier: HTTPWebhookTransport(allowsPrivate: shared.settings.http.allowsPrivateWebhooks), clock: clock,
      meter: shared.metrics, generator: generator, payloads: WebhookPayloads(checks: store, signer: signer))
    messages = Self.messages(realm, store, keyring, tokens, retention: retention, shared)
    captures = Self.captures(realm, store, blobs, retention: retention, shared)
    scans = try await Self.scans(realm, store, blobs, retention: retention, shared)
  }

  private static func access(
    _ realm: Realm, _ store: any ServerStore, _ keyring: MasterKeyring, _ shared: SharedResources
  ) -> RealmAccess {
    let (clock, generator) = (shared.clock, SystemRandomNumberGenerator())
    let audit = AuditLog(store: store, keyring: keyring, clock: clock)
    return RealmAccess(
      keys: APIKeyService(
        realm, ring: store, clock: clock, audit: audit, perSecond: shared.settings.requestsPerKey, generator: generator),
      accounts: AccountService(
        store: store, clock: clock, audit: audit, keyring: keyring, realm: realm, generator: generator),
      audit: audit)
  }

  private static func checks(
    _ realm: Realm, _ store: any ServerStore, _ keyring: MasterKeyring, _ tokens: SessionTokens,
    retention: PurgeCounter, _ shared: SharedResources
  ) throws -> LivenessCheckService {
    var settings = shared.settings.checks
    settings.realm = realm
    return LivenessCheckService(
      store: store, observer: shared.tracker, clock: shared.clock, settings: settings,
      generator: SystemRandomNumberGenerator(), keyring: keyring, tokens: tokens, meter: shared.metrics,
      recorder: try FrameLogStore(
        shared.settings.store.folder(realm) + "/" + DataDirectory.frameLogs, keyring: keyring,
        random: DataDirectory.random),
      retention: retention, comparer: shared.comparer)
  }

  private static func messages(
    _ realm: Realm, _ store: any ServerStore, _ keyring: MasterKeyring, _ tokens: SessionTokens,
    retention: PurgeCounter, _ shared: SharedResources
  ) -> MessageService {
    var settings = shared.settings.messages
    settings.realm = realm
    return MessageService(
      store: store, observer: shared.tracker, clock: shared.clock, settings: settings, keyring: keyring,
      tokens: tokens, avatars: AvatarFiles(folder: shared.settings.http.web + "/assets/avatars"),
      images: UntrustedImageDecoder(), generator: SystemRandomNumberGenerator(), retention: retention,
      meter: shared.metrics, signing: shared.signing.map { $0.gif(_:) })
  }

  private static func captures(
    _ realm: Realm, _ store: any ServerStore, _ blobs: EncryptedBlobStore, retention: PurgeCounter,
    _ shared: SharedResources
  ) -> CaptureService {
    var settings = shared.settings.captures
    settings.realm = realm
    return CaptureService(
      store: store, blobs: blobs, clock: shared.clock, settings: settings,
      reader: CaptureFileDecoder(
        faces: FaceLocator(observer: shared.tracker), network: shared.textureNetwork, credentials: shared.provenance),
      scheduler: shared.scheduler, verifier: shared.verifier,
      signing: shared.signing.map { $0.reception(of:as:at:) },
      generator: SystemRandomNumberGenerator(), retention: retention)
  }

  private static func scans(
    _ realm: Realm, _ store: any ServerStore, _ blobs: EncryptedBlobStore, retention: PurgeCounter,
    _ shared: SharedResources
  ) async throws -> ScanService {
    var settings = shared.settings.scans
    settings.realm = realm
    let videoFrames = VideoScratchDirectory(beside: shared.settings.store.folder(realm))
    videoFrames.sweep()
    let pipeline = ScanPipeline(
      observer: shared.tracker, videoFrames: videoFrames,
      signing: shared.signing.map { $0.surface(_:named:) }
    ) {
      // Retries for 30 seconds in total.
      try await Task.sleep(for: .milliseconds(300))
    }
    let service = ScanService(
      store: store, blobs: blobs, clock: shared.clock, settings: settings, processor: pipeline,
      generator: SystemRandomNumberGenerator(), traces: shared.traces, retention: retention,
      queued: shared.queuedScans)
    try await service.purgeUploads()
    return service
  }

  /// Returns the background jobs of this realm alone.
  func jobs(_ logger: Logger) -> [any Service] {
    [
      SnapshotWorker(what: "checks", host: checks, logger: logger),
      SnapshotWorker(what: "performances", host: messages, logger: logger),
      PeriodicJob(logger: logger, checks.expireAndPurge),
      PeriodicJob(logger: logger, messages.expireAndPurge),
      PeriodicJob(logger: logger, captures.expireAndPurge),
      PeriodicJob(logger: logger, scans.purgeExpired),
      PeriodicJob(logger: logger, access.accounts.expireAndPurge),
      PeriodicJob(logger: logger, access.keys.expireAndPurge),
      CaptureAnalysisWorker(service: captures, logger: logger),
      WebhookDispatchService(dispatcher: dispatcher, logger: logger),
    ]
  }
}

/// One value for each realm.
package struct PerRealm<Value: Sendable>: Sendable {
  private let live: Value
  private let sandbox: Value

  /// Creates the values one after the other, the live realm's first.
  init(_ make: (Realm) async throws -> Value) async rethrows {
    live = try await make(.live)
    sandbox = try await make(.sandbox)
  }

  package subscript(realm: Realm) -> Value {
    switch realm {
    case .live: live
    case .sandbox: sandbox
    }
  }

  /// Values in the order of `Realm.allCases`.
  package var all: [Value] { Realm.allCases.map { self[$0] } }
}
