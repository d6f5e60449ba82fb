public import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
public import Logging
public import MienService
internal import NIOCore

/// HTTP server for the services of both realms.
public enum MienApplication {
  /// Builds the application; run it with `runService()`.
  ///
  /// - Parameters:
  ///   - watch: monitor of the external dependencies.
  ///   - onListening: called with the port once the server accepts connections.
  /// - Throws: TLS configuration errors.
  public static func make(
    spaces: Realms<some FaceTracking>, settings: ServerSettings, watch: DependencyHealthMonitor, logger: Logger,
    onListening: @escaping @Sendable (Int) async -> Void = { _ in }
  ) throws -> some ApplicationProtocol {
    let heads = TimeAmount.seconds(Int64(settings.headSeconds))
    let stalls = TimeAmount.seconds(Int64(settings.stallSeconds))
    let idle = TimeAmount.seconds(Int64(settings.idleSeconds))
    let gate = MiddlewareStack(spaces: spaces, settings: settings, parts: watch, logger: logger)
    let connections = WaitingConnections(limit: settings.maximumConnections)
    let addresses = PerIPConnectionLimiter(
      // One address can use at most a quarter of the connections that the descriptors allow.
      limit: min(settings.connectionsPerAddress, max(1, settings.maximumConnections / 4)), proxies: settings.proxies)
    let liveness = LivenessHandler.Settings(watch: gate.watch, headers: gate.headers.own) {
      spaces.live.service.timeOfDay
    }
    let plain = HTTPServerBuilder { responder in
      LimitedHTTPChannel(
        configuration: .init(
          additionalChannelHandlers: [HeaderTimeoutHandler(head: heads, stall: stalls, connections: connections)],
          idleTimeout: idle),
        addresses: addresses, connections: connections, liveness: liveness, responder: responder)
    }
    return Application(
      router: router(spaces: spaces, settings: settings, gate: gate),
      server: try settings.tls.map { try .tls(plain, tlsConfiguration: $0.configuration) } ?? plain,
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(settings.maximumConnections)),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { await onListening(port) }
      },
      logger: logger)
  }

  /// Middleware that processes every request.
  private struct MiddlewareStack<Observer: FaceTracking> {
    let meter = RequestCounter()
    let parts: DependencyHealthMonitor
    let watch: RequestObservabilityMiddleware
    let headers: SecurityHeaders<ServerContext>
    let admission: AdmissionMiddleware<Observer>

    init(spaces: Realms<Observer>, settings: ServerSettings, parts: DependencyHealthMonitor, logger: Logger) {
      self.parts = parts
      let spans = RequestTracing(traces: spaces.live.service.meter.times.traces, isSecure: settings.tls != nil)
      watch = RequestObservabilityMiddleware(meter: meter, spans: spans, log: settings.accessLog)
      headers = SecurityHeaders(isSecure: settings.tls != nil)
      admission = AdmissionMiddleware(spaces: spaces, settings: settings, logger: logger)
    }
  }

  private static func router<Observer: FaceTracking>(
    spaces: Realms<Observer>, settings: ServerSettings, gate: MiddlewareStack<Observer>
  ) -> Router<ServerContext> {
    let known = Router(context: ServerContext.self)
    addRoutes(to: known, spaces: spaces, settings: settings, gate: gate)
    let table = RouteTable(known.routes.map { ($0.path.description, $0.method) })
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: gate.watch)
    router.add(middleware: gate.headers)
    router.add(middleware: OriginPolicyMiddleware(origins: settings.allowedOrigins))
    router.add(middleware: ProblemMiddleware())
    router.add(middleware: YouverifyErrorMiddleware())
    router.add(middleware: gate.admission)
    router.add(middleware: AuditMiddleware(spaces: spaces))
    router.add(middleware: MethodNotAllowedMiddleware(table: table))
    router.add(middleware: PageRewriteMiddleware())
    router.add(
      middleware: FileMiddleware(
        fileProvider: PageFiles(folder: settings.web), cacheControl: .init([(MediaType(type: .any), [.noCache])]),
        searchForIndexHtml: true))
    router.add(
      middleware: FileMiddleware(
        fileProvider: PageFiles(folder: settings.viewer), urlBasePath: "/assets/three",
        cacheControl: .init([(MediaType(type: .any), [.noCache])])))
    addRoutes(to: router, spaces: spaces, settings: settings, gate: gate)
    return router
  }

  private static func addRoutes<Observer: FaceTracking>(
    to router: Router<ServerContext>, spaces: Realms<Observer>, settings: ServerSettings,
    gate: MiddlewareStack<Observer>
  ) {
    CheckRoutes(spaces: spaces, settings: settings).add(to: router)
    FaceRoutes(spaces: spaces, settings: settings).add(to: router)
    AWSRoutes(spaces: spaces, settings: settings).add(to: router)
    YouverifyRoutes(spaces: spaces, settings: settings).add(to: router)
    WebhookRoutes(spaces: spaces, settings: settings).add(to: router)
    if let messages = spaces.messages {
      MessageRoutes(spaces: spaces, messages: messages, settings: settings).add(to: router)
    }
    if let captures = spaces.captures {
      CaptureRoutes(spaces: spaces, captures: captures, settings: settings).add(to: router)
    }
    if let scans = spaces.scans { ScanRoutes(spaces: spaces, scans: scans, settings: settings).addAll(to: router) }
    JWKSRoutes(live: spaces.live.signer, sandbox: spaces.sandbox.signer).add(to: router)
    AuditRoutes(spaces: spaces).add(to: router)
    RetentionRoutes(spaces: spaces).add(to: router)
    APIKeyRoutes(spaces: spaces, settings: settings).add(to: router)
    AccountRoutes(spaces: spaces, isSecure: settings.tls != nil).add(to: router)
    HealthRoutes(
      service: spaces.live.service, meter: gate.meter, captures: spaces.captures?.live,
      retention: [spaces.live.service.retention, spaces.sandbox.service.retention], watch: gate.parts,
      queues: QueueMetrics(
        services: [spaces.live.service, spaces.sandbox.service],
        scans: spaces.scans.map { [$0.live, $0.sandbox] } ?? [], watch: gate.parts),
      exporter: settings.exporter
    ).add(to: router)
  }
}
