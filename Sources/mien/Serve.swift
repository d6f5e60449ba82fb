import ArgumentParser
import Foundation
import Hummingbird
import Logging
import MienFilms
import MienModel
import MienServer
import MienService
import MienStorePostgres
import MienTracking
import ServiceLifecycle
import UnixSignals

/// `mien serve`: the HTTP server with the embedded database.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the API and the pages.",
    discussion: "On first start an API key is made and printed once; only its digest is kept.")

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
      "A file with any of these settings: a JSON object with keys such as \"result-days\". Variables such as MIEN_RESULT_DAYS count "
        + "over it, and options over both.", valueName: "file"))
  var config: String?
  @Option(help: "The address to listen on. Anything but loopback needs a certificate or a TLS front.")
  var host = "127.0.0.1"
  @Option(help: "The port; 0 lets the system choose one.")
  var port = 8080
  @Option(help: "The folder for the database.")
  var data = "data"
  @Option(
    help: ArgumentHelp(
      "Keep records in PostgreSQL instead of the folder, for several servers: postgres://user:password@host/database.",
      valueName: "url"))
  var store: String?
  @Option(
    help: ArgumentHelp(
      "Keep the files of captures and scans in an S3-compatible store: s3://bucket/folder?endpoint=https://host.",
      valueName: "url"))
  var blobs: String?
  @Option(help: "The folder with the browser client (default: Web beside the package).")
  var web: String?
  @Flag(
    inversion: .prefixedNo,
    help: """
      Let anybody try checks, messages, captures and scans without an API key, and look at all scans (default: on loopback, \
      only programs and pages of this machine).
      """)
  var demo: Bool?
  @Option(help: "How many seconds a check and its token live.")
  var lifetime = 180
  @Flag(inversion: .prefixedNo, help: "Keep reference and audit pictures for sessions that ask for them.")
  var pictures = true
  @Option(help: "How many seconds kept pictures stay after the verdict.")
  var pictureLifetime = 600
  @Option(help: "How many seconds kept films stay after the verdict.")
  var clipLifetime = 3600
  @Option(
    help: "How many days verdicts stay, with all that belongs to their checks; 0 keeps them until they are erased.")
  var resultDays = 90
  @Option(
    help: """
      What a check asks for whose creation names nothing, and every session of the AWS- and Youverify-compatible APIs: tasks (two \
      of chance) or head-turn, which is weaker.
      """)
  var defaultChallenge = Challenge.tasks
  @Option(help: "What passive signals do to a verdict: off, report or refuse.")
  var passive = Passive.refuse
  @Option(
    help: """
      What frames that an earlier check of this server showed do to a verdict: off, report or refuse. Refuse only where people come \
      with cameras of their own: before a camera that stands still, one person's turns resemble each other.
      """)
  var replays = Passive.report
  @Option(
    help: "The origin of a page that may use the API with a check's token, such as https://shop.example; repeat it.")
  var allowOrigin: [String] = []
  @Option(
    help: "How many failed checks within 3 minutes lock a person or a device out for 30; 0 never locks anybody out.")
  var lockoutFailures = 5
  @Option(
    help: """
      How many messages one address may lock in an hour without an API key, and show pictures for; it may look twenty
      times as often. 0: any number.
      """)
  var messageLimit = 1800
  @Option(
    help: """
      How many captures one address may send in an hour without an API key, and how many files it may have verified. 0: \
      any number.
      """)
  var captureLimit = 1800
  @Option(help: "How many days captures stay, with all their files; 0 keeps them until they are erased.")
  var captureDays = 90
  @Option(help: "The largest depth scan that is taken, all its files together, in megabytes.")
  var scanMegabytes = 2048
  @Option(help: "The largest depth scan that a check's token may send, all its files together, in megabytes.")
  var checkScanMegabytes = 200
  @Option(help: "How many days depth scans stay, with all that belongs to them; 0 keeps them until they are erased.")
  var scanDays = 0
  @Flag(
    help: """
      Let a backend create checks, and a sender lock messages, that rest on what a device reports about itself: claimed \
      observations, or depth captures without tasks. Such a check can pass, and such a message open, without a camera.
      """)
  var allowClaimedObservations = false
  @Flag(help: "Let webhooks lead to private addresses and over plain HTTP, for trying out.")
  var allowPrivateWebhooks = false
  @Option(help: "How many frames are looked at side by side (default: one a core).")
  var engines: Int?
  @Flag(
    inversion: .prefixedNo,
    help: "Make films of the checks that this server sees; without, they are told as failed.")
  var films = true
  @OptionGroup var places: Places
  @OptionGroup(title: "Guarding") var guarding: GuardOptions
  @OptionGroup(title: "Storage") var storage: StorageOptions
  @OptionGroup(title: "App Attest") var attest: AttestOptions
  @OptionGroup(title: "Tracing") var tracing: TraceOptions

  func validate() throws {
    if let store, PostgresAddress(store) == nil { throw ValidationError(ServerStores.hint) }
    if let blobs, BlobBucket.address(blobs) == nil { throw ValidationError(BlobBucket.hint) }
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
    guard (1...86_400).contains(lifetime) else { throw ValidationError("--lifetime must be 1 to 86400.") }
    guard (1...31_536_000).contains(pictureLifetime) else {
      throw ValidationError("--picture-lifetime must be 1 to 31536000.")
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
      let sources = try ServeSources(
        KnownOptions(of: Serve.self, lists: ["allow-origin", "app-attest-app", "trusted-proxy"]), file: config,
        environment: ProcessInfo.processInfo.environment)
      let given = Array(CommandLine.arguments.dropFirst(2))
      // Parsed as a part of the whole, so that what is wrong with it is told of `mien serve`.
      let whole = try await Mien.asyncParseAsRoot(["serve"] + (try sources.arguments(over: given)))
      // Asked for help there, the parser gives the command that shows it.
      guard let serve = whole as? Serve else {
        var command = whole
        return try command.run()
      }
      try await serve.start()
    }
  }

  private func start() async throws {
    var logger = Logger(label: "mien")
    logger.logLevel = .notice
    // Before anything is opened.
    let descriptors = DescriptorLimit.raise()
    await DispatchTimers.prepare()
    let verifier = try attest.verifier()
    DataFolder.restrictNewFiles()
    try await DataFolder.requireSeal(for: store, in: data)
    // Before anything in the folder is opened, made or tidied.
    for path in try DataFolder.secure(data) {
      Terminal.note("NOTE: \(path) could be reached by other users of this machine; their rights were taken away.")
    }
    try DataFolder.holdForServer(data)
    let exporter = tracing.exporter()
    let times = WorkTimes(traces: exporter?.traces ?? .off)
    let stores = try await ServerStores(store, data: data, times: times)
    let blobs = try await ServerBlobs(blobs, data: data, times: times)
    let pool = FaceEnginePool(
      models: places.modelFolder, engines: engines ?? ProcessInfo.processInfo.activeProcessorCount,
      times: times)
    // Better a server that says what it lacks than one that is not there.
    for obstacle in await pool.obstacles() {
      Terminal.note("NOT READY: \(places.words(obstacle)) Run scripts/install-parts.")
    }
    try await serve(
      pool, stores: stores, blobs: blobs, verifier: verifier, meter: Meter(times: times), exporter: exporter,
      descriptors: descriptors, logger: logger)
  }

  private func serve(
    _ observer: some FaceObserver, stores: ServerStores, blobs: ServerBlobs, verifier: (any AttestationVerifier)?,
    meter: Meter, exporter: TraceExporter?, descriptors: DescriptorLimit?, logger: Logger
  ) async throws {
    let traces = meter.times.traces
    let live = try await house(.live, stores.live, observer, meter)
    let sandbox = try await house(.sandbox, stores.sandbox, observer, meter)
    let retention = (live: live.house.service.retention, sandbox: sandbox.house.service.retention)
    let messages = try (
      live: messages(.live, stores.live, observer, live.tokens, retention.live, meter),
      sandbox: messages(.sandbox, stores.sandbox, observer, sandbox.tokens, retention.sandbox, meter)
    )
    let captures = try captures(stores, blobs, verifier, traces, retention)
    let scans = try await (
      live: scans(.live, stores.live, blobs.live, observer, traces, retention.live),
      sandbox: scans(.sandbox, stores.sandbox, blobs.sandbox, observer, traces, retention.sandbox)
    )
    let circle = try await ServerCircle(stores, scans: [scans.live, scans.sandbox], logger: logger)
    try StoreNote.write(StoreNote.words(store), in: data)
    for (store, blobs) in [(stores.live, blobs.live), (stores.sandbox, blobs.sandbox)] {
      try await circle.findFiles(of: store, in: blobs)
    }
    try await circle.tidy { for service in [captures.live, captures.sandbox] { try await service.sweepBlobs() } }
    let spaces = Spaces(
      live: live.house, sandbox: sandbox.house, messages: .init(live: messages.live, sandbox: messages.sandbox),
      captures: .init(live: captures.live, sandbox: captures.sandbox),
      scans: .init(live: scans.live, sandbox: scans.sandbox))
    if let key = try await spaces.live.service.makeFirstKey() {
      try Terminal.say("API key: \(key)")
      Terminal.note("Keep this key: it is shown only now.")
    }
    var server = ServerSettings()
    server.host = host
    server.port = port
    server.web = web ?? Places.find("Web")
    server.viewer = Places.viewerFolder
    server.allowedOrigins = Set(allowOrigin)
    server.demo = demo.map { $0 ? .everybody : .off } ?? (Self.isLoopback(host) ? .ownMachine : .off)
    server.allowsPrivateWebhooks = allowPrivateWebhooks
    server.exporter = exporter
    try guarding.apply(to: &server)
    try capConnections(of: &server, descriptors)
    let bodies = server.bodies
    let (host, tls) = (host, server.tls)
    let watch = OutsideParts.watch(stores, blobs, data: data)
    let application = try MienApplication.make(spaces: spaces, settings: server, watch: watch, logger: logger) { port in
      do {
        try Terminal.say(
          "Listening on http\(tls == nil ? "" : "s")://\(host.contains(":") ? "[\(host)]" : host):\(port)")
      } catch {
        // A server whose starter no longer reads what it prints serves all the same.
        Terminal.note("\(error)")
      }
    }
    let sealers: [ServiceGroupConfiguration.ServiceConfiguration] = try [
      (stores.live, Space.live), (stores.sandbox, Space.sandbox),
    ].map { store, space in
      .init(
        service: ColumnSealer(
          store: store, seal: try DataFolder.seal(DataFolder.of(space, in: data)), logger: logger))
    }
    // Ended last, so that nothing is left of what the others did.
    var first: [ServiceGroupConfiguration.ServiceConfiguration] = []
    if let exporter { first.append(.init(service: TraceSender(exporter: exporter, logger: logger))) }
    first += circle.services + sealers
    let group = ServiceGroup(
      configuration: .init(
        services: first + [
          .init(
            service: FilmMaker(
              services: [spaces.live.service, spaces.sandbox.service], makesFilms: films, logger: logger)),
          .init(service: PartKeeper(watch: watch, logger: logger)),
          .init(
            service: RetentionReporter(services: [spaces.live.service, spaces.sandbox.service], logger: logger)),
          .init(service: StateKeeper(spaces.live.service, logger: logger)),
          .init(service: StateKeeper(spaces.sandbox.service, logger: logger)),
          .init(service: StateKeeper(messages.live, logger: logger)),
          .init(service: StateKeeper(messages.sandbox, logger: logger)),
          .init(service: Sweeper(sweep: spaces.live.service.sweep, logger: logger)),
          .init(service: Sweeper(sweep: spaces.sandbox.service.sweep, logger: logger)),
          .init(service: Sweeper(sweep: { bodies.trim() }, logger: logger)),
          .init(service: Sweeper(sweep: { spaces.live.tidyReplies() }, logger: logger)),
          .init(service: Sweeper(sweep: { spaces.sandbox.tidyReplies() }, logger: logger)),
          .init(service: Sweeper(sweep: messages.live.sweep, logger: logger)),
          .init(service: Sweeper(sweep: messages.sandbox.sweep, logger: logger)),
          .init(service: Sweeper(sweep: captures.live.sweep, logger: logger)),
          .init(service: Sweeper(sweep: captures.sandbox.sweep, logger: logger)),
          .init(service: CaptureAnalyst(service: captures.live, logger: logger)),
          .init(service: CaptureAnalyst(service: captures.sandbox, logger: logger)),
          .init(service: Sweeper(sweep: spaces.live.service.sweepAccounts, logger: logger)),
          .init(service: Sweeper(sweep: spaces.sandbox.service.sweepAccounts, logger: logger)),
          .init(service: Sweeper(sweep: spaces.live.service.sweepKeys, logger: logger)),
          .init(service: Sweeper(sweep: spaces.sandbox.service.sweepKeys, logger: logger)),
          .init(
            service: Sweeper(
              sweep: { if try tls?.refresh() == true { logger.notice("new certificate") } }, logger: logger)),
          .init(service: Sweeper(sweep: scans.live.tidy, logger: logger)),
          .init(service: Sweeper(sweep: scans.sandbox.tidy, logger: logger)),
          .init(service: ScanWorker(services: [scans.live, scans.sandbox], logger: logger)),
          .init(service: Postman(courier: live.courier, logger: logger)),
          .init(service: Postman(courier: sandbox.courier, logger: logger)),
          .init(service: EventLoopService(application)),
        ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await group.run()
    } catch {
      throw ToolError("cannot serve on \(host), port \(server.port): \(error)")
    }
  }

  /// Leaves room for files, databases and ffmpeg below the limit of open files, and reports the numbers.
  private func capConnections(of server: inout ServerSettings, _ limit: DescriptorLimit?) throws {
    guard let limit, let open = DescriptorLimit.openCount else { return }
    let connections = limit.connections(wanted: server.maximumConnections, open: open)
    guard connections > 0 else {
      throw ToolError(
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

  /// One of the server's two worlds, and who tells of its verdicts.
  private func house<Observer: FaceObserver>(
    _ space: Space, _ store: any ServerStore, _ observer: Observer, _ meter: Meter
  ) async throws -> (house: Spaces<Observer>.House, courier: WebhookCourier, tokens: SessionTokens) {
    var settings = ServiceSettings()
    settings.space = space
    settings.lifetime = .seconds(Double(lifetime))
    settings.keepsPictures = pictures
    settings.pictureLifetime = .seconds(Double(pictureLifetime))
    settings.clipLifetime = .seconds(Double(clipLifetime))
    settings.resultLifetime = resultDays == 0 ? nil : .seconds(Double(resultDays) * 86_400)
    settings.passive = passive.policy
    settings.replays = replays.policy
    settings.defaultChallenge = defaultChallenge.setting
    settings.allowsClaims = allowClaimedObservations
    settings.lockout = LockoutSettings(failures: lockoutFailures)
    let clock = SystemClock()
    let seal = try DataFolder.seal(DataFolder.of(space, in: data))
    var dice = SystemRandomNumberGenerator()
    let signer = try await ResultSigner(store: store, seal: seal, at: clock.timeOfDay(), using: &dice)
    let tokens = try await SessionTokens(store: store, seal: seal, at: clock.timeOfDay(), using: &dice)
    let audit = AuditLog(store: store, seal: seal, clock: clock)
    let service = CheckService(
      store: store, observer: observer, clock: clock, settings: settings, dice: dice, seal: seal, tokens: tokens,
      meter: meter,
      recorder: try ReelFolder(DataFolder.of(space, in: data) + "/reels", seal: seal, random: DataFolder.random),
      desk: KeyDesk(
        ring: store, clock: clock, audit: audit, perSecond: guarding.keyRate == 0 ? nil : guarding.keyRate),
      audit: audit,
      accounts: AccountDesk(store: store, clock: clock, audit: audit, seal: seal, space: space, dice: dice))
    let courier = WebhookCourier(
      store: store, seal: seal, carrier: HTTPWebhookCarrier(allowsPrivate: allowPrivateWebhooks), clock: clock,
      meter: meter, dice: dice, scribe: WebhookBodies.scribe(signer: signer))
    return (.init(service: service, signer: signer), courier, tokens)
  }

  /// Messages under locks of expressions, of one of the two worlds.
  private func messages<Observer: FaceObserver>(
    _ space: Space, _ store: any ServerStore, _ observer: Observer, _ tokens: SessionTokens,
    _ retention: RetentionBook, _ meter: Meter
  ) throws -> MessageService<Observer> {
    var settings = MessageSettings()
    settings.space = space
    settings.locksPerHour = messageLimit
    settings.allowsClaims = allowClaimedObservations
    let avatars = AvatarFiles(folder: (web ?? Places.find("Web")) + "/assets/avatars")
    return MessageService(
      store: store, observer: observer, clock: SystemClock(), settings: settings,
      seal: try DataFolder.seal(DataFolder.of(space, in: data)), tokens: tokens,
      avatars: AvatarRack(names: ["bear", "fox"]) { try avatars.sheet($0) },
      pictures: MessagePictures(number: StrangersPictures.number, sheet: StrangersPictures.sheet),
      dice: SystemRandomNumberGenerator(), retention: retention, meter: meter)
  }

  /// Captures and the pages that verify them; both worlds share the places for analyses.
  private func captures(
    _ stores: ServerStores, _ blobs: ServerBlobs, _ verifier: (any AttestationVerifier)?, _ traces: Traces,
    _ retention: (live: RetentionBook, sandbox: RetentionBook)
  ) throws -> (live: CaptureService, sandbox: CaptureService) {
    let clock = SystemClock()
    let desk = SceneDesk(clock: clock, places: CaptureAnalyst.places, maximumWaiting: 32, traces: traces)
    func service(
      _ space: Space, _ store: any ServerStore, _ blobs: SealedBlobs, _ retention: RetentionBook
    ) throws -> CaptureService {
      var settings = CaptureSettings()
      settings.space = space
      settings.capturesPerHour = captureLimit
      settings.quotas = storage.quotas
      settings.lifetime = captureDays == 0 ? nil : .seconds(Double(captureDays) * 86_400)
      return CaptureService(
        store: store, blobs: blobs, clock: clock, settings: settings, reader: SceneFiles.reader, desk: desk,
        verifier: verifier, dice: SystemRandomNumberGenerator(), retention: retention)
    }
    return (
      try service(.live, stores.live, blobs.live, retention.live),
      try service(.sandbox, stores.sandbox, blobs.sandbox, retention.sandbox)
    )
  }

  /// True for what browsers send as `Origin` (RFC 6454).
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

/// Ends what ran out of time, once a second.
private struct Sweeper: Service {
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

/// Makes the films of decided checks, one after the other, so that they never take more than one core from the checks; and
/// destroys the reels that nobody needs any more. Each server makes the films of the frames that came to it.
private struct FilmMaker<Observer: FaceObserver>: Service {
  let services: [CheckService<Observer>]
  let makesFilms: Bool
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var rounds = 0
      while !Task.isCancelled {
        for service in services {
          do {
            if rounds.isMultiple(of: 60) { try await service.tidyReels() }
            for error in try await service.makeClips(isAble: makesFilms) {
              // Of other errors only the kind: their text may name a check.
              let reason = (error as? FilmError)?.reason ?? "\(type(of: error))"
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
