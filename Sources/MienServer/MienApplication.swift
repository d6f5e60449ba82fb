public import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
public import Logging
public import MienService
internal import NIOCore

/// The HTTP server around a service.
public enum MienApplication {
  /// Builds the application; run it with `runService()`.
  ///
  /// - Parameter onListening: called with the port once the server accepts connections.
  /// - Throws: errors of TLS.
  public static func make(
    spaces: Spaces<some FaceObserver>, settings: ServerSettings, logger: Logger,
    onListening: @escaping @Sendable (Int) async -> Void = { _ in }
  ) throws -> some ApplicationProtocol {
    let heads = TimeAmount.seconds(Int64(settings.headSeconds))
    let plain = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [SlowHeads(limit: heads)], idleTimeout: .seconds(Int64(settings.idleSeconds))))
    return Application(
      router: router(spaces: spaces, settings: settings),
      server: try settings.tls.map { try .tls(plain, tlsConfiguration: $0.configuration) } ?? plain,
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(settings.maximumConnections)),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { await onListening(port) }
      },
      logger: logger)
  }

  /// The routes alone, for tests that need no socket.
  static func router(spaces: Spaces<some FaceObserver>, settings: ServerSettings)
    -> Router<ServerContext>
  {
    let router = Router(context: ServerContext.self)
    let meter = RequestMeter()
    router.add(middleware: RequestWatch(meter: meter, log: settings.accessLog))
    router.add(middleware: SecurityHeaders(isSecure: settings.tls != nil))
    router.add(middleware: CrossOrigin(origins: settings.allowedOrigins))
    router.add(middleware: ProblemMiddleware())
    router.add(middleware: YouverifyFaults())
    router.add(middleware: Doorman(spaces: spaces, settings: settings))
    router.add(middleware: AuditKeeper(spaces: spaces))
    router.add(middleware: PageAddresses())
    router.add(
      middleware: FileMiddleware(
        settings.web, cacheControl: .init([(MediaType(type: .any), [.noCache])]), searchForIndexHtml: true))
    router.add(
      middleware: FileMiddleware(
        settings.viewer, urlBasePath: "/assets/three", cacheControl: .init([(MediaType(type: .any), [.noCache])])))
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
    KeyRoutes(live: spaces.live.signer, sandbox: spaces.sandbox.signer).add(to: router)
    AuditRoutes(spaces: spaces).add(to: router)
    APIKeyRoutes(spaces: spaces, settings: settings).add(to: router)
    HealthRoutes(service: spaces.live.service, meter: meter, captures: spaces.captures?.live).add(to: router)
    return router
  }
}
