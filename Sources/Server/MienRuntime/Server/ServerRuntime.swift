internal import Dispatch
internal import Foundation
internal import Logging
internal import MienAccess
internal import MienAuthenticity
internal import MienCaptures
internal import MienChecks
package import MienCore
internal import MienFiles
package import MienPlatform
internal import MienProvenance
internal import MienServer
internal import MienTracking
internal import ServiceLifecycle
internal import UnixSignals

/// Server with its HTTP interface and background jobs, in this process.
package struct ServerRuntime: Sendable {
  private let group: ServiceGroup
  private let address: ListeningAddress
  let realms: Realms
  /// Held as long as the server exists.
  private let lock: DataDirectoryLock?

  /// Opens the data and prepares the services; nothing runs yet.
  ///
  /// - Parameter stopsOnSignals: `true` to stop on SIGTERM and SIGINT.
  /// - Throws: ``OperationError`` if the data or a setting cannot be used.
  package init(_ settings: RuntimeSettings, console: any OperatorConsole, stopsOnSignals: Bool) async throws {
    // Before anything is created.
    let listening = ListeningAddress(host: settings.http.host, port: settings.http.port)
    if let obstacle = await listening.obstacle() { throw OperationError(obstacle) }
    var logger = Logger(label: "mien")
    logger.logLevel = .notice
    // Before any file is opened.
    let descriptors = DescriptorLimit.raise()
    await DispatchTimers.prepare()
    let verifier = try settings.attestation?.verifier()
    lock = try await Self.claimDataDirectory(settings.store, console)
    let exporter = settings.tracing.map { tracing in
      TraceExporter(
        tracing.endpoint, oneIn: tracing.oneIn, version: tracing.version, instance: UUID().uuidString.lowercased(),
        generator: SystemRandomNumberGenerator())
    }
    let times = OperationTimings(traces: exporter?.traces ?? .off)
    let stores = try await RealmStores(settings.store, times: times)
    let blobs = try await RealmBlobStores(settings.blobs, data: settings.store.data, times: times, console: console)
    let tracker = FaceTrackerPool(
      models: settings.assets.models, engines: settings.engines ?? ProcessInfo.processInfo.activeProcessorCount,
      times: times)
    // A server without models still starts and reports what is missing.
    for reason in await tracker.obstacles() {
      console.note("NOT READY: \(settings.assets.text(reason)) Run scripts/install-parts.")
    }
    let shared = SharedResources(
      settings: settings, tracker: tracker, comparer: await Self.comparer(settings, tracker, console),
      textureNetwork: Self.textureNetwork(settings, console, logger),
      metrics: ServiceMetrics(times: times),
      scheduler: AnalysisScheduler(
        clock: SystemClock(), places: CaptureAnalysisWorker.capacity, maximumWaiting: 32, traces: times.traces),
      verifier: verifier, provenance: try Self.provenance(settings, console),
      signing: try await Self.signing(settings, stores, logger))
    let services = try await PerRealm { realm in
      try await RealmServices(realm, store: stores[realm], blobs: blobs[realm], shared)
    }
    let membership = try await Self.joinCluster(settings.store, stores, blobs, services, console, logger)
    var generator = SystemRandomNumberGenerator()
    if let key = try await APIKeyIssuer(store: stores[.live], realm: .live).makeFirst(
      at: shared.clock.timeOfDay(), using: &generator)
    {
      try console.write("API key: \(key)")
      console.note("Keep this key: it is shown only now.")
    }
    let http = try Self.httpSettings(settings, exporter, descriptors, console)
    address = listening
    let monitor = ExternalDependencies.monitor(stores, blobs, data: settings.store.data)
    realms = Self.realms(services, shared)
    let application = try MienApplication.make(realms: realms, settings: http, monitor: monitor, logger: logger) {
      port in
      Self.announce(http, port, console)
    }
    // Services listed first are stopped last, so that spans of the others' shutdown are still exported.
    var jobs: [any Service] = []
    if let exporter { jobs.append(TraceExportService(exporter: exporter, logger: logger)) }
    jobs += membership.services
    jobs += Self.sharedJobs(
      services, realms, http, monitor, encodesClips: settings.encodesClips, queuedScans: shared.queuedScans, logger)
    for realm in services.all { jobs += realm.jobs(logger) }
    jobs.append(EventLoopService(application))
    group = ServiceGroup(
      configuration: .init(
        services: jobs.map { .init(service: $0) }, gracefulShutdownSignals: stopsOnSignals ? [.sigterm, .sigint] : [],
        logger: logger))
  }

  /// Serves until the server is stopped.
  ///
  /// - Throws: ``OperationError`` if the address cannot be listened on, or a job fails.
  package func run() async throws {
    do {
      try await group.run()
    } catch {
      // Another program may have taken the port since the start.
      throw OperationError(await address.obstacle() ?? "cannot serve: \(error)")
    }
  }

  /// Stops the server gracefully; ``run()`` returns when the requests and jobs in progress are done.
  package func stop() async { await group.triggerGracefulShutdown() }

  /// Returns the comparer of faces; `nil` without the recognition model, which a server can do without.
  private static func comparer(
    _ settings: RuntimeSettings, _ tracker: FaceTrackerPool, _ console: any OperatorConsole
  ) async -> FaceComparer? {
    let engines = settings.engines ?? ProcessInfo.processInfo.activeProcessorCount
    // A few engines suffice: one compares about 200 faces per second, and a check needs three. Scratch files are in the
    // data folder, which is on a disk; the system's temporary folder may be in memory.
    let matcher = FaceMatcher(
      models: settings.assets.models, tracker: tracker, engines: (engines + 7) / 8, scratch: settings.store.data)
    guard let reason = matcher.missingModel else { return FaceComparer(matcher) }
    console.note("NOTE: faces are not compared: \(settings.assets.text(reason)) Run scripts/install-parts.")
    return nil
  }

  /// Returns the network of the texture check, which a server can do without.
  private static func textureNetwork(
    _ settings: RuntimeSettings, _ console: any OperatorConsole, _ logger: Logger
  ) -> TextureNetwork {
    // An analysis takes several times as long as the network.
    let network = TextureNetwork(
      models: settings.assets.models, engines: (CaptureAnalysisWorker.capacity + 3) / 4
    ) { reason in
      logger.error(
        "the texture check's network failed for an image", metadata: ["error": "\(settings.assets.text(reason))"])
    }
    if let reason = network.missingModel {
      console.note(
        "NOTE: photos are analyzed without a network: \(settings.assets.text(reason)) Run scripts/install-parts.")
    }
    return network
  }

  /// Returns the function that verifies content credentials; `nil` without the C2PA library, which a server can do without.
  ///
  /// - Throws: ``OperationError`` for an unusable trust list.
  private static func provenance(
    _ settings: RuntimeSettings, _ console: any OperatorConsole
  ) throws -> (@Sendable ([UInt8]) async -> ProvenanceOutcome)? {
    do {
      return try settings.provenance.verification()
    } catch let error as ProvenanceLibraryError {
      console.note("NOTE: content credentials are not read: \(error.reason). Run scripts/install-provenance.")
      return nil
    }
  }

  /// Returns the signer with the operator's certificate; `nil` without one. Its key is stored encrypted in the live realm.
  private static func signing(
    _ settings: RuntimeSettings, _ stores: RealmStores, _ logger: Logger
  ) async throws -> CredentialSigning? {
    guard settings.provenance.signing != nil else { return nil }
    let sealed = SealedProvenanceKey(store: stores[.live], keyring: try settings.store.keyring(.live))
    return try await CredentialSigning(
      settings.provenance, sealed: sealed, at: SystemClock().timeOfDay(), logger: logger)
  }

  /// Secures and locks the data folder before anything in it is opened, created or deleted.
  private static func claimDataDirectory(
    _ store: StoreLocation, _ console: any OperatorConsole
  ) async throws -> DataDirectoryLock? {
    DataDirectory.restrictNewFiles()
    try await DataDirectory.requireKeyring(of: store)
    for path in try DataDirectory.secure(store.data) {
      console.note("NOTE: \(path) was accessible to other users of this machine; their permissions were removed.")
    }
    return try DataDirectory.lockForServer(store.data, console: console)
  }

  /// Joins the servers that share the database, and removes what a crash left behind.
  private static func joinCluster(
    _ location: StoreLocation, _ stores: RealmStores, _ blobs: RealmBlobStores, _ services: PerRealm<RealmServices>,
    _ console: any OperatorConsole, _ logger: Logger
  ) async throws -> ClusterMembership {
    let membership = try await ClusterMembership(
      stores, scans: services.all.map(\.scans), logger: logger)
    try StoreLocationFile.write(
      StoreLocationFile.text(of: try location.address()), in: location.data, console: console)
    for realm in Realm.allCases { try await membership.findFiles(of: stores[realm], in: blobs[realm]) }
    try await membership.purgeExpired {
      for realm in services.all { try await realm.captures.collectBlobGarbage() }
    }
    return membership
  }

  /// Returns the settings of the HTTP server, completed with those that depend on files and on the limits of this process.
  private static func httpSettings(
    _ settings: RuntimeSettings, _ exporter: TraceExporter?, _ descriptors: DescriptorLimit?,
    _ console: any OperatorConsole
  ) throws -> ServerSettings {
    var http = settings.http
    http.exporter = exporter
    if settings.logsRequests { http.accessLog = Logger(label: "mien.access") }
    if let files = settings.tls {
      do {
        http.tls = try ReloadingTLSCertificate(certificate: files.certificate, key: files.key)
      } catch let error as TLSFilesError {
        throw OperationError("\(error)")
      }
    }
    if http.tls == nil, http.proxies == TrustedProxies(), !ListeningAddress(host: http.host, port: http.port).isLoopback
    {
      console.note(
        "WARNING: --host \(http.host) over plain HTTP: pictures and keys cross the network unencrypted, and browsers open no camera. "
          + "Give --tls-cert and --tls-key, or put a proxy with TLS in front and name it with --trusted-proxy.")
    }
    try limitConnections(of: &http, descriptors, console)
    return http
  }

  /// Limits the number of connections so that descriptors for files, databases and ffmpeg remain below the limit of
  /// open files, and writes the numbers.
  ///
  /// - Throws: ``OperationError`` if no connection fits below the limit.
  private static func limitConnections(
    of http: inout ServerSettings, _ limit: DescriptorLimit?, _ console: any OperatorConsole
  ) throws {
    guard let limit, let open = DescriptorLimit.openCount else { return }
    let connections = limit.connections(wanted: http.maximumConnections, open: open)
    guard connections > 0 else {
      throw OperationError(
        "The limit of open files is \(limit.soft), and \(open) are already open, which leaves none for connections. Raise it "
          + "(ulimit -n \(DescriptorLimit.recommended), or LimitNOFILE in systemd).")
    }
    console.note(
      "Open files: \(limit.soft) allowed, \(open) in use, \(limit.reserve) kept free; up to \(connections) connections."
    )
    if connections < http.maximumConnections {
      console.note(
        "NOTE: these are fewer connections than --maximum-connections \(http.maximumConnections) allows. Raise the limit of open "
          + "files (ulimit -n, or LimitNOFILE in systemd).")
    }
    http.maximumConnections = connections
  }

  private static func realms(_ services: PerRealm<RealmServices>, _ shared: SharedResources) -> Realms {
    func context(_ realm: Realm) -> Realms.RealmContext {
      let services = services[realm]
      return .init(
        checks: services.checks, access: services.access, webhooks: services.webhooks, retention: services.retention,
        signer: services.signer)
    }
    return Realms(
      live: context(.live), sandbox: context(.sandbox), metrics: shared.metrics, clock: shared.clock,
      messages: .init(live: services[.live].messages, sandbox: services[.sandbox].messages),
      captures: .init(live: services[.live].captures, sandbox: services[.sandbox].captures),
      scans: .init(live: services[.live].scans, sandbox: services[.sandbox].scans))
  }

  /// Returns the background jobs that both realms share.
  private static func sharedJobs(
    _ services: PerRealm<RealmServices>, _ realms: Realms, _ http: ServerSettings,
    _ monitor: DependencyHealthMonitor, encodesClips: Bool, queuedScans: WorkSignal, _ logger: Logger
  ) -> [any Service] {
    let checks = services.all.map(\.checks)
    let clock = SystemClock()
    let (bodies, tls) = (http.bodies, http.tls)
    return [
      ClipEncodingWorker(services: checks, isEnabled: encodesClips, logger: logger),
      HealthMonitorService(monitor: monitor, logger: logger),
      RetentionReportJob(realms: services.all, clock: clock, logger: logger),
      PeriodicJob(logger: logger) {
        bodies.trim()
        for context in [realms.live, realms.sandbox] { context.purgeResponses(at: clock.timeOfDay()) }
      },
      PeriodicJob(logger: logger) { if try tls?.refresh() == true { logger.notice("new certificate") } },
      ScanProcessingWorker(services: services.all.map(\.scans), queued: queuedScans, logger: logger),
    ]
  }

  private static func announce(_ http: ServerSettings, _ port: Int, _ console: any OperatorConsole) {
    let host = http.host.contains(":") ? "[\(http.host)]" : http.host
    do {
      try console.write("Listening on http\(http.tls == nil ? "" : "s")://\(host):\(port)")
    } catch {
      // A server whose output is no longer read continues to run.
      console.note("\(error)")
    }
  }
}

/// Creates the file descriptors that Dispatch would otherwise allocate on first use.
///
/// Dispatch terminates the process if it cannot create one: it creates a timer per clock when the first work item waits
/// on that clock, which under load may be a moment when no descriptor is available.
enum DispatchTimers {
  /// Waits briefly on each clock. Call it once at startup, before connections are accepted.
  static func prepare() async {
    let queue = DispatchQueue.global()
    let moment = DispatchTimeInterval.milliseconds(1)
    await withCheckedContinuation { done in queue.asyncAfter(deadline: .now() + moment) { done.resume() } }
    await withCheckedContinuation { done in queue.asyncAfter(wallDeadline: .now() + moment) { done.resume() } }
    try? await Task.sleep(for: .milliseconds(1), clock: .continuous)
    try? await Task.sleep(for: .milliseconds(1), clock: .suspending)
  }
}

/// System clocks, read nowhere else.
package struct SystemClock: ServiceClock {
  private let origin = ContinuousClock.now

  package init() {}

  package func now() -> MonotonicInstant {
    let (seconds, attoseconds) = (ContinuousClock.now - origin).components
    return MonotonicInstant(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  package func timeOfDay() -> UnixTime { UnixTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

  package func sleep(for interval: Interval) async throws {
    try await Task.sleep(for: .nanoseconds(interval.nanoseconds))
  }
}
