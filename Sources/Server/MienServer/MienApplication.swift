public import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import MienPages
public import Logging
public import MienPlatform
internal import NIOCore

/// HTTP server for the services of both realms.
public enum MienApplication {
  /// Builds the application; run it with `runService()`.
  ///
  /// - Parameters:
  ///   - realms: services of the live and sandbox realms.
  ///   - settings: address, limits, folders, and TLS.
  ///   - monitor: monitor of the external dependencies.
  ///   - logger: receives what operators must know.
  ///   - onListening: called with the port once the server accepts connections.
  /// - Throws: TLS configuration errors.
  public static func make(
    realms: Realms, settings: ServerSettings, monitor: DependencyHealthMonitor, logger: Logger,
    onListening: @escaping @Sendable (Int) async -> Void = { _ in }
  ) throws -> some ApplicationProtocol {
    let heads = TimeAmount.seconds(Int64(settings.headSeconds))
    let stalls = TimeAmount.seconds(Int64(settings.stallSeconds))
    let idle = TimeAmount.seconds(Int64(settings.idleSeconds))
    let meter = RequestCounter()
    let pipeline = RequestPipeline(realms: realms, settings: settings, meter: meter, logger: logger)
    let connections = WaitingConnections(limit: settings.maximumConnections)
    let addresses = PerIPConnectionLimiter(
      // One address can use at most a quarter of the connections that the descriptors allow.
      limit: min(settings.connectionsPerAddress, max(1, settings.maximumConnections / 4)), proxies: settings.proxies)
    let liveness = LivenessHandler.Settings(watch: pipeline.observability, headers: pipeline.headers.own) {
      realms.clock.timeOfDay()
    }
    let plain = HTTPServerBuilder { responder in
      LimitedHTTPChannel(
        configuration: .init(
          additionalChannelHandlers: [HeaderTimeoutHandler(head: heads, stall: stalls, connections: connections)],
          idleTimeout: idle),
        addresses: addresses, connections: connections, liveness: liveness, responder: responder)
    }
    return Application(
      router: router(
        realms: realms, settings: settings, pipeline: pipeline, health: .init(meter: meter, monitor: monitor)),
      server: try settings.tls.map { try .tls(plain, tlsConfiguration: $0.configuration) } ?? plain,
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(settings.maximumConnections)),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { await onListening(port) }
      },
      logger: logger)
  }

  /// Sources of the responses about the server itself.
  private struct Health {
    let meter: RequestCounter
    let monitor: DependencyHealthMonitor
  }

  private static func router(
    realms: Realms, settings: ServerSettings, pipeline: RequestPipeline, health: Health
  ) -> Router<ServerContext> {
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    var routes = APIRoutes(router: router, pipeline: pipeline)
    addRoutes(to: &routes, realms: realms, settings: settings, health: health)
    // Middleware applies to the routes added after it: here, to requests that no route of the API handles.
    router.add(middleware: PageMiddleware(pipeline: pipeline, table: routes.table))
    router.add(middleware: MethodNotAllowedMiddleware(table: routes.table))
    router.add(middleware: PageBundleMiddleware(ClientBundles(folder: settings.web)))
    router.add(middleware: PageRewriteMiddleware())
    router.add(middleware: files(in: settings.web))
    router.add(middleware: files(in: settings.viewer, at: "/assets/three"))
    router.add(middleware: files(in: settings.docs, at: "/docs", hasIndex: true))
    return router
  }

  private static func files(
    in folder: String, at path: String? = nil, hasIndex: Bool = false
  ) -> some RouterMiddleware<ServerContext> {
    FileMiddleware(
      fileProvider: PageFiles(folder: folder), urlBasePath: path,
      cacheControl: .init([(MediaType(type: .any), [.noCache])]), searchForIndexHtml: path == nil || hasIndex)
  }

  /// Returns the routes of the API with their policies.
  static func routeTable(
    realms: Realms, settings: ServerSettings, monitor: DependencyHealthMonitor, logger: Logger
  ) -> RouteTable {
    let meter = RequestCounter()
    var routes = APIRoutes(
      router: Router(context: ServerContext.self),
      pipeline: RequestPipeline(realms: realms, settings: settings, meter: meter, logger: logger))
    addRoutes(
      to: &routes, realms: realms, settings: settings,
      health: Health(meter: meter, monitor: monitor))
    return routes.table
  }

  private static func addRoutes(
    to routes: inout APIRoutes, realms: Realms, settings: ServerSettings, health: Health
  ) {
    CheckRoutes(realms: realms, settings: settings).add(to: &routes)
    FaceRoutes(realms: realms, settings: settings).add(to: &routes)
    CompareRoutes(realms: realms, settings: settings).add(to: &routes)
    AWSRoutes(realms: realms, settings: settings).add(to: &routes)
    YouverifyRoutes(realms: realms, settings: settings).add(to: &routes)
    WebhookRoutes(realms: realms, settings: settings).add(to: &routes)
    if let messages = realms.messages {
      MessageRoutes(realms: realms, messages: messages, settings: settings).add(to: &routes)
    }
    if let captures = realms.captures {
      CaptureRoutes(realms: realms, captures: captures, settings: settings).add(to: &routes)
    }
    if let scans = realms.scans { ScanRoutes(realms: realms, scans: scans, settings: settings).add(to: &routes) }
    JWKSRoutes(live: realms.live.signer, sandbox: realms.sandbox.signer).add(to: &routes)
    AuditRoutes(realms: realms).add(to: &routes)
    RetentionRoutes(realms: realms).add(to: &routes)
    EventRoutes(realms: realms).add(to: &routes)
    SecurityContactRoutes(contact: settings.securityContact, clock: realms.clock, publicURL: settings.publicURL)
      .add(to: &routes)
    LinkedAppRoutes(apps: settings.linkedApps).add(to: &routes)
    APIKeyRoutes(realms: realms, settings: settings).add(to: &routes)
    AccountRoutes(realms: realms, isSecure: settings.tls != nil).add(to: &routes)
    HealthRoutes(
      checks: realms.live.checks, metrics: realms.metrics, meter: health.meter, captures: realms.captures?.live,
      retention: [realms.live.retention, realms.sandbox.retention], monitor: health.monitor,
      queues: QueueMetrics(
        checks: [realms.live.checks, realms.sandbox.checks],
        webhooks: [realms.live.webhooks, realms.sandbox.webhooks],
        scans: realms.scans.map { [$0.live, $0.sandbox] } ?? [], monitor: health.monitor),
      exporter: settings.exporter
    ).add(to: &routes)
  }
}
