public import Hummingbird
public import Logging
public import MienService

/// The HTTP server around a service.
public enum MienApplication {
  /// Builds the application; run it with `runService()`.
  ///
  /// - Parameter onListening: called with the port once the server accepts connections.
  public static func make(
    spaces: Spaces<some FaceObserver>, settings: ServerSettings, logger: Logger,
    onListening: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    Application(
      router: router(spaces: spaces, settings: settings),
      server: .http1(configuration: .init(idleTimeout: .seconds(Int64(settings.idleSeconds)))),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: nil),
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
    router.add(middleware: SecurityHeaders())
    router.add(middleware: CrossOrigin(origins: settings.allowedOrigins))
    router.add(middleware: ProblemMiddleware())
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
      CaptureRoutes(spaces: spaces, service: captures, settings: settings).add(to: router)
    }
    if let scans = spaces.scans { ScanRoutes(spaces: spaces, scans: scans, settings: settings).addAll(to: router) }
    KeyRoutes(live: spaces.live.signer, sandbox: spaces.sandbox.signer).add(to: router)
    HealthRoutes(service: spaces.live.service).add(to: router)
    return router
  }
}
