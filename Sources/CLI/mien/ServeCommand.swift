import ArgumentParser
import Foundation
import Hummingbird
import Logging
import MienVideo
import MienCore
import MienServer
import MienService
import MienStorePostgres
import MienTracking
import ServiceLifecycle
import UnixSignals

/// `mien serve`: runs the HTTP server with the embedded database or PostgreSQL.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the server: API and web pages.",
    discussion: "On first start, an API key is created and printed once; only its digest is stored.")

  enum Passive: String, ExpressibleByArgument, CaseIterable {
    case off, report, refuse

    var policy: PassivePolicy {
      switch self {
      case .off: .off
      case .report: .report
      case .refuse: .refuse
      }
    }
  }

  enum Challenge: String, ExpressibleByArgument, CaseIterable {
    case tasks
    case headTurn = "head-turn"

    var setting: DefaultChallenge { self == .tasks ? .tasks : .headTurn }
  }

  @Option(
    help: ArgumentHelp(
      "Configuration file: a JSON object with keys such as \"result-days\". Environment variables such as "
        + "MIEN_RESULT_DAYS override it, and options override both.", valueName: "file"))
  var config: String?
  @Option(help: "Address to listen on. Anything but loopback requires a certificate or a TLS-terminating proxy.")
  var host = "127.0.0.1"
  @Option(help: "Port; 0 lets the system choose one.")
  var port = 8080
  @Option(help: "Data folder.")
  var data = "data"
  @Option(
    help: ArgumentHelp(
      "Store records in PostgreSQL instead of the data folder, to run several servers: postgres://user:password@host/database.",
      valueName: "url"))
  var store: String?
  @Option(
    help: ArgumentHelp(
      "Store files of captures and scans in an S3-compatible object store: s3://bucket/folder?endpoint=https://host.",
      valueName: "url"))
  var blobs: String?
  @Option(help: "Folder with the browser client (default: Web beside the package).")
  var web: String?
  @Flag(
    inversion: .prefixedNo,
    help: """
      Demo mode: allow checks, messages, captures, and scans without an API key, and reading all scans (default: on \
      loopback, only for clients on this machine).
      """)
  var demo: Bool?
  @Option(help: "Lifetime of a check and its token in seconds.")
  var lifetime = 180
  @Flag(inversion: .prefixedNo, help: "Store reference and audit images for sessions that request them.")
  var images = true
  @Option(help: "Seconds to keep stored images after the decision.")
  var imageLifetime = 600
  @Option(help: "Seconds to keep stored clips after the decision.")
  var clipLifetime = 3600
  @Option(
    help: "Days to keep results and all data of their checks; 0: until they are deleted.")
  var resultDays = 90
  @Option(
    help: """
      Default tasks of a check that requests none, and of all sessions of the AWS- and Youverify-compatible APIs: tasks \
      (two random ones) or head-turn, which is weaker.
      """)
  var defaultChallenge = Challenge.tasks
  @Option(help: "Effect of passive signals on the result: off, report, or refuse.")
  var passive = Passive.refuse
  @Option(
    help: """
      Effect of frames reused from an earlier check on this server: off, report, or refuse. Use refuse only if people use \
      their own cameras: with a fixed camera, one person's head turns look alike.
      """)
  var replays = Passive.report
  @Option(
    help: "Origin of a page that may use the API with a check's token, such as https://shop.example; repeatable.")
  var allowOrigin: [String] = []
  @Option(
    help: "Failed checks within 3 minutes that lock out a person or device for 30 minutes; 0: no lockout.")
  var lockoutFailures = 5
  @Option(
    help: """
      Messages one address may lock, and images it may send to read an ID, per hour without an API key; it may read
      twenty times as many. 0: unlimited.
      """)
  var messageLimit = 1800
  @Option(
    help: """
      Captures one address may send, and files it may verify, per hour without an API key. 0: \
      unlimited.
      """)
  var captureLimit = 1800
  @Option(help: "Days to keep captures and their files; 0: until they are deleted.")
  var captureDays = 90
  @Option(help: "Maximum size of a depth scan, all files together, in megabytes.")
  var scanMegabytes = 2048
  @Option(help: "Maximum size of a depth scan sent with a check's token, all files together, in megabytes.")
  var checkScanMegabytes = 200
  @Option(help: "Days to keep depth scans and their files; 0: until they are deleted.")
  var scanDays = 0
  @Flag(
    help: """
      Allow checks and messages that rely on what a device reports: claimed observations, or depth captures without \
      tasks. Such a check can be passed, and such a message opened, without a camera.
      """)
  var allowClaimedObservations = false
  @Flag(help: "Allow webhooks to private addresses and over plain HTTP, for testing.")
  var allowPrivateWebhooks = false
  @Option(help: "Frames processed in parallel (default: one per core).")
  var engines: Int?
  @Flag(
    inversion: .prefixedNo,
    help: "Encode the requested clips of checks on this server; if disabled, they are reported as failed.")
  var films = true
  @OptionGroup var places: AssetOptions
  @OptionGroup(title: "Guarding") var guarding: SecurityOptions
  @OptionGroup(title: "Storage") var storage: StorageOptions
  @OptionGroup(title: "App Attest") var attest: AppAttestOptions
  @OptionGroup(title: "Tracing") var tracing: TraceOptions

  func validate() throws {
    if let store, PostgresURL(store) == nil { throw ValidationError(RealmStores.hint) }
    if let blobs, BlobBucket.address(blobs) == nil { throw ValidationError(BlobBucket.hint) }
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
    guard (1...86_400).contains(lifetime) else { throw ValidationError("--lifetime must be 1 to 86400.") }
    guard (1...31_536_000).contains(imageLifetime) else {
      throw ValidationError("--image-lifetime must be 1 to 31536000.")
    }
    guard (1...31_536_000).contains(clipLifetime) else {
      throw ValidationError("--clip-lifetime must be 1 to 31536000.")
    }
    guard (0...36_500).contains(resultDays) else { throw ValidationError("--result-days must be 0 to 36500.") }
    for origin in allowOrigin where !Self.isOrigin(origin) {
      throw ValidationError(
        "--allow-origin \(origin): an origin is scheme, host and port only, as https://shop.example.")
    }
    guard (0...100).contains(lockoutFailures) else { throw ValidationError("--lockout-failures must be 0 to 100.") }
    guard (0...1_000_000).contains(messageLimit) else { throw ValidationError("--message-limit must be 0 to 1000000.") }
    guard (0...1_000_000).contains(captureLimit) else { throw ValidationError("--capture-limit must be 0 to 1000000.") }
    guard (0...36_500).contains(captureDays) else { throw ValidationError("--capture-days must be 0 to 36500.") }
    guard (1...1_000_000).contains(scanMegabytes) else {
      throw ValidationError("--scan-megabytes must be 1 to 1000000.")
    }
    guard (1...1_000_000).contains(checkScanMegabytes) else {
      throw ValidationError("--check-scan-megabytes must be 1 to 1000000.")
    }
    guard (0...36_500).contains(scanDays) else { throw ValidationError("--scan-days must be 0 to 36500.") }
    guard (1...256).contains(engines ?? 1) else { throw ValidationError("--engines must be 1 to 256.") }
  }

  func run() async throws {
    try await Terminal.reporting {
      let sources = try LayeredConfiguration(
        OptionCatalog(of: ServeCommand.self, lists: ["allow-origin", "app-attest-app", "trusted-proxy"]), file: config,
        environment: ProcessInfo.processInfo.environment)
      let given = Array(CommandLine.arguments.dropFirst(2))
      // Parsed as a subcommand of the root, so that error messages refer to `mien serve`.
      let whole = try await MienCommand.asyncParseAsRoot(["serve"] + (try sources.arguments(over: given)))
      // For `--help`, the parser returns the command that prints the help.
      guard let serve = whole as? ServeCommand else {
        var command = whole
        return try command.run()
      }
      try await serve.start()
    }
  }

  private func start() async throws {
    var logger = Logger(label: "mien")
    logger.logLevel = .notice
    // Before any file is opened.
    let descriptors = DescriptorLimit.raise()
    await DispatchTimers.prepare()
    let verifier = try attest.verifier()
    DataDirectory.restrictNewFiles()
    try await DataDirectory.requireSeal(for: store, in: data)
    // Before anything in the folder is opened, created or deleted.
    for path in try DataDirectory.secure(data) {
      Terminal.note("NOTE: \(path) could be reached by other users of this machine; their rights were taken away.")
    }
    try DataDirectory.holdForServer(data)
    let exporter = tracing.exporter()
    let times = OperationTimings(traces: exporter?.traces ?? .off)
    let stores = try await RealmStores(store, data: data, times: times)
    let blobs = try await RealmBlobStores(blobs, data: data, times: times)
    let pool = FaceTrackerPool(
      models: places.modelFolder, engines: engines ?? ProcessInfo.processInfo.activeProcessorCount,
      times: times)
    // A server without models still starts and reports what is missing.
    for obstacle in await pool.obstacles() {
      Terminal.note("NOT READY: \(places.words(obstacle)) Run scripts/install-parts.")
    }
    try await serve(
      pool, stores: stores, blobs: blobs, verifier: verifier, meter: ServiceMetrics(times: times), exporter: exporter,
      descriptors: descriptors, logger: logger)
  }

  private func serve(
    _ observer: some FaceTracking, stores: RealmStores, blobs: RealmBlobStores, verifier: (any AttestationVerifier)?,
    meter: ServiceMetrics, exporter: TraceExporter?, descriptors: DescriptorLimit?, logger: Logger
  ) async throws {
    let traces = meter.times.traces
    let live = try await realm(.live, stores.live, observer, meter)
    let sandbox = try await realm(.sandbox, stores.sandbox, observer, meter)
    let retention = (live: live.realm.service.retention, sandbox: sandbox.realm.service.retention)
    let messages = try (
      live: messages(.live, stores.live, observer, live.tokens, retention.live, meter),
      sandbox: messages(.sandbox, stores.sandbox, observer, sandbox.tokens, retention.sandbox, meter)
    )
    let captures = try captures(stores, blobs, verifier, traces, retention)
    let scans = try await (
      live: scans(.live, stores.live, blobs.live, observer, traces, retention.live),
      sandbox: scans(.sandbox, stores.sandbox, blobs.sandbox, observer, traces, retention.sandbox)
    )
    let circle = try await ClusterMembership(stores, scans: [scans.live, scans.sandbox], logger: logger)
    try StoreLocationFile.write(StoreLocationFile.words(store), in: data)
    for (store, blobs) in [(stores.live, blobs.live), (stores.sandbox, blobs.sandbox)] {
      try await circle.findFiles(of: store, in: blobs)
    }
    try await circle.purgeExpired {
      for service in [captures.live, captures.sandbox] { try await service.collectBlobGarbage() }
    }
    let spaces = Realms(
      live: live.realm, sandbox: sandbox.realm, messages: .init(live: messages.live, sandbox: messages.sandbox),
      captures: .init(live: captures.live, sandbox: captures.sandbox),
      scans: .init(live: scans.live, sandbox: scans.sandbox))
    if let key = try await spaces.live.service.makeFirstKey() {
      try Terminal.say("API key: \(key)")
      Terminal.note("Keep this key: it is shown only now.")
    }
    var server = ServerSettings()
    server.host = host
    server.port = port
    server.web = web ?? AssetOptions.find("Web")
    server.viewer = AssetOptions.viewerFolder
    server.allowedOrigins = Set(allowOrigin)
    server.demo = demo.map { $0 ? .everybody : .off } ?? (Self.isLoopback(host) ? .ownMachine : .off)
    server.allowsPrivateWebhooks = allowPrivateWebhooks
    server.exporter = exporter
    try guarding.apply(to: &server)
    try capConnections(of: &server, descriptors)
    let bodies = server.bodies
    let (host, tls) = (host, server.tls)
    let watch = ExternalDependencies.watch(stores, blobs, data: data)
    let application = try MienApplication.make(realms: spaces, settings: server, watch: watch, logger: logger) { port in
      do {
        try Terminal.say(
          "Listening on http\(tls == nil ? "" : "s")://\(host.contains(":") ? "[\(host)]" : host):\(port)")
      } catch {
        // A server whose output is no longer read continues to run.
        Terminal.note("\(error)")
      }
    }
    let sealers: [ServiceGroupConfiguration.ServiceConfiguration] = try [
      (stores.live, Realm.live), (stores.sandbox, Realm.sandbox),
    ].map { store, space in
      .init(
        service: ColumnEncryptionJob(
          store: store, keyring: try DataDirectory.keyring(DataDirectory.of(space, in: data)), logger: logger))
    }
    // Services listed first are stopped last, so that spans of the others' shutdown are still exported.
    var first: [ServiceGroupConfiguration.ServiceConfiguration] = []
    if let exporter { first.append(.init(service: TraceExportService(exporter: exporter, logger: logger))) }
    first += circle.services + sealers
    let group = ServiceGroup(
      configuration: .init(
        services: first + [
          .init(
            service: ClipEncodingWorker(
              services: [spaces.live.service, spaces.sandbox.service], makesFilms: films, logger: logger)),
          .init(service: HealthMonitorService(watch: watch, logger: logger)),
          .init(
            service: RetentionReportJob(services: [spaces.live.service, spaces.sandbox.service], logger: logger)),
          .init(service: SnapshotWorker(spaces.live.service, logger: logger)),
          .init(service: SnapshotWorker(spaces.sandbox.service, logger: logger)),
          .init(service: SnapshotWorker(messages.live, logger: logger)),
          .init(service: SnapshotWorker(messages.sandbox, logger: logger)),
          .init(service: PeriodicJob(sweep: spaces.live.service.expireAndPurge, logger: logger)),
          .init(service: PeriodicJob(sweep: spaces.sandbox.service.expireAndPurge, logger: logger)),
          .init(service: PeriodicJob(sweep: { bodies.trim() }, logger: logger)),
          .init(service: PeriodicJob(sweep: { spaces.live.purgeResponses() }, logger: logger)),
          .init(service: PeriodicJob(sweep: { spaces.sandbox.purgeResponses() }, logger: logger)),
          .init(service: PeriodicJob(sweep: messages.live.expireAndPurge, logger: logger)),
          .init(service: PeriodicJob(sweep: messages.sandbox.expireAndPurge, logger: logger)),
          .init(service: PeriodicJob(sweep: captures.live.expireAndPurge, logger: logger)),
          .init(service: PeriodicJob(sweep: captures.sandbox.expireAndPurge, logger: logger)),
          .init(service: CaptureAnalysisWorker(service: captures.live, logger: logger)),
          .init(service: CaptureAnalysisWorker(service: captures.sandbox, logger: logger)),
          .init(service: PeriodicJob(sweep: spaces.live.service.purgeAccounts, logger: logger)),
          .init(service: PeriodicJob(sweep: spaces.sandbox.service.purgeAccounts, logger: logger)),
          .init(service: PeriodicJob(sweep: spaces.live.service.purgeKeys, logger: logger)),
          .init(service: PeriodicJob(sweep: spaces.sandbox.service.purgeKeys, logger: logger)),
          .init(
            service: PeriodicJob(
              sweep: { if try tls?.refresh() == true { logger.notice("new certificate") } }, logger: logger)),
          .init(service: PeriodicJob(sweep: scans.live.purgeExpired, logger: logger)),
          .init(service: PeriodicJob(sweep: scans.sandbox.purgeExpired, logger: logger)),
          .init(service: ScanProcessingWorker(services: [scans.live, scans.sandbox], logger: logger)),
          .init(service: WebhookDispatchService(dispatcher: live.dispatcher, logger: logger)),
          .init(service: WebhookDispatchService(dispatcher: sandbox.dispatcher, logger: logger)),
          .init(service: EventLoopService(application)),
        ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await group.run()
    } catch {
      throw CommandError("cannot serve on \(host), port \(server.port): \(error)")
    }
  }

  /// Caps the number of connections so that descriptors for files, databases and ffmpeg remain below the limit of open
  /// files, and prints the numbers.
  ///
  /// - Throws: ``CommandError`` if no connection fits below the limit.
  private func capConnections(of server: inout ServerSettings, _ limit: DescriptorLimit?) throws {
    guard let limit, let open = DescriptorLimit.openCount else { return }
    let connections = limit.connections(wanted: server.maximumConnections, open: open)
    guard connections > 0 else {
      throw CommandError(
        "The limit of open files is \(limit.soft), and \(open) are open already: that leaves no room for connections. Raise it "
          + "(ulimit -n \(DescriptorLimit.recommended), or LimitNOFILE in systemd).")
    }
    Terminal.note(
      "Open files: \(limit.soft) allowed, \(open) in use, \(limit.reserve) kept free; up to \(connections) connections."
    )
    if connections < server.maximumConnections {
      Terminal.note(
        "NOTE: these are fewer connections than --maximum-connections \(server.maximumConnections) allows. Raise the limit of open "
          + "files (ulimit -n, or LimitNOFILE in systemd).")
    }
    server.maximumConnections = connections
  }

  /// Creates the services of a realm and the dispatcher of its webhooks.
  private func realm<Observer: FaceTracking>(
    _ space: Realm, _ store: any FullStore, _ observer: Observer, _ meter: ServiceMetrics
  ) async throws -> (realm: Realms<Observer>.RealmContext, dispatcher: WebhookDispatcher, tokens: SessionTokens) {
    var settings = ServiceSettings()
    settings.space = space
    settings.lifetime = .seconds(Double(lifetime))
    settings.keepsImages = images
    settings.imageLifetime = .seconds(Double(imageLifetime))
    settings.clipLifetime = .seconds(Double(clipLifetime))
    settings.resultLifetime = resultDays == 0 ? nil : .seconds(Double(resultDays) * 86_400)
    settings.passive = passive.policy
    settings.replays = replays.policy
    settings.defaultChallenge = defaultChallenge.setting
    settings.allowsClaims = allowClaimedObservations
    settings.lockout = LockoutSettings(failures: lockoutFailures)
    let clock = SystemClock()
    let keyring = try DataDirectory.keyring(DataDirectory.of(space, in: data))
    var generator = SystemRandomNumberGenerator()
    let signer = try await ResultSigner(store: store, keyring: keyring, at: clock.timeOfDay(), using: &generator)
    let tokens = try await SessionTokens(store: store, keyring: keyring, at: clock.timeOfDay(), using: &generator)
    let audit = AuditLog(store: store, keyring: keyring, clock: clock)
    let service = LivenessCheckService(
      store: store, observer: observer, clock: clock, settings: settings, generator: generator, keyring: keyring,
      tokens: tokens,
      meter: meter,
      recorder: try FrameLogStore(
        DataDirectory.of(space, in: data) + "/reels", keyring: keyring, random: DataDirectory.random),
      apiKeys: APIKeyService(
        ring: store, clock: clock, audit: audit, perSecond: guarding.keyRate == 0 ? nil : guarding.keyRate),
      audit: audit,
      accounts: AccountService(
        store: store, clock: clock, audit: audit, keyring: keyring, space: space, generator: generator))
    let dispatcher = WebhookDispatcher(
      store: store, keyring: keyring, carrier: HTTPWebhookTransport(allowsPrivate: allowPrivateWebhooks), clock: clock,
      meter: meter, generator: generator, payloadBuilder: WebhookPayloads.payloadBuilder(signer: signer))
    return (.init(service: service, signer: signer), dispatcher, tokens)
  }

  /// Creates the service for locked messages of a realm.
  private func messages<Observer: FaceTracking>(
    _ space: Realm, _ store: any FullStore, _ observer: Observer, _ tokens: SessionTokens,
    _ retention: PurgeCounter, _ meter: ServiceMetrics
  ) throws -> MessageService<Observer> {
    var settings = MessageSettings()
    settings.space = space
    settings.locksPerHour = messageLimit
    settings.allowsClaims = allowClaimedObservations
    let avatars = AvatarFiles(folder: (web ?? AssetOptions.find("Web")) + "/assets/avatars")
    return MessageService(
      store: store, observer: observer, clock: SystemClock(), settings: settings,
      keyring: try DataDirectory.keyring(DataDirectory.of(space, in: data)), tokens: tokens,
      avatars: AvatarCache(names: ["bear", "fox"]) { try avatars.sheet($0) },
      images: MessageImageDecoding(number: UntrustedImageDecoder.number, sheet: UntrustedImageDecoder.sheet),
      generator: SystemRandomNumberGenerator(), retention: retention, meter: meter)
  }

  /// Creates the services for captures and their verification; both realms share the capacity for analysis.
  private func captures(
    _ stores: RealmStores, _ blobs: RealmBlobStores, _ verifier: (any AttestationVerifier)?, _ traces: TracingContext,
    _ retention: (live: PurgeCounter, sandbox: PurgeCounter)
  ) throws -> (live: CaptureService, sandbox: CaptureService) {
    let clock = SystemClock()
    let scheduler = AnalysisScheduler(
      clock: clock, places: CaptureAnalysisWorker.places, maximumWaiting: 32, traces: traces)
    func service(
      _ space: Realm, _ store: any FullStore, _ blobs: EncryptedBlobStore, _ retention: PurgeCounter
    ) throws -> CaptureService {
      var settings = CaptureSettings()
      settings.space = space
      settings.capturesPerHour = captureLimit
      settings.quotas = storage.quotas
      settings.lifetime = captureDays == 0 ? nil : .seconds(Double(captureDays) * 86_400)
      return CaptureService(
        store: store, blobs: blobs, clock: clock, settings: settings, reader: CaptureFileDecoder.reader,
        scheduler: scheduler,
        verifier: verifier, generator: SystemRandomNumberGenerator(), retention: retention)
    }
    return (
      try service(.live, stores.live, blobs.live, retention.live),
      try service(.sandbox, stores.sandbox, blobs.sandbox, retention.sandbox)
    )
  }

  /// Returns `true` for an HTTP or HTTPS origin as sent by browsers in `Origin` (RFC 6454).
  private static func isOrigin(_ text: String) -> Bool {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty
    else {
      return false
    }
    let port = parts.port.map { ":\($0)" } ?? ""
    return ["http", "https"].contains(scheme) && text == "\(scheme)://\(host)\(port)"
  }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}

/// Runs a job every second.
private struct PeriodicJob: Service {
  let sweep: @Sendable () async throws -> Void
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: .seconds(1))
          try await sweep()
        } catch is CancellationError {
          return
        } catch {
          logger.error("sweep", metadata: ["error": "\(error)"])
        }
      }
    }
  }
}

/// Encodes the videos of decided checks one at a time, so that they use at most one core, and deletes frame logs that
/// are no longer needed. Each server encodes the videos of the frames that it received.
private struct ClipEncodingWorker<Observer: FaceTracking>: Service {
  let services: [LivenessCheckService<Observer>]
  let makesFilms: Bool
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var rounds = 0
      while !Task.isCancelled {
        for service in services {
          do {
            if rounds.isMultiple(of: 60) { try await service.purgeFrameLogs() }
            for error in try await service.makeClips(isAble: makesFilms) {
              // Of other errors, only the type is logged: their text may identify a check.
              let reason = (error as? VideoError)?.reason ?? "\(type(of: error))"
              logger.error("a film could not be made", metadata: ["reason": "\(reason)"])
            }
          } catch is CancellationError {
            return
          } catch {
            logger.error("films", metadata: ["error": "\(error)"])
          }
        }
        rounds += 1
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
      }
    }
  }
}
