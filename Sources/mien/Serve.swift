import ArgumentParser
import Foundation
import Hummingbird
import Logging
import MienModel
import MienServer
import MienService
import MienStoreSQLite
import MienTracking
import ServiceLifecycle
import UnixSignals

/// `mien serve`: the HTTP server with the embedded database.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the API and the pages.",
    discussion: "On first start an API key is made and printed once; only its digest is kept.")

  @Option(help: "The address to listen on. Anything but loopback needs a TLS front.")
  var host = "127.0.0.1"
  @Option(help: "The port; 0 lets the system choose one.")
  var port = 8080
  @Option(help: "The folder for the database.")
  var data = "data"
  @Option(help: "The folder with the browser client (default: Web beside the package).")
  var web: String?
  @Flag(inversion: .prefixedNo, help: "Let anybody start a check without an API key (default: only on loopback).")
  var demo: Bool?
  @Option(help: "How many seconds a check and its token live.")
  var lifetime = 180
  @Option(help: "How many frames are looked at side by side (default: one a core).")
  var engines: Int?
  @OptionGroup var places: Places

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
    guard (1...86_400).contains(lifetime) else { throw ValidationError("--lifetime must be 1 to 86400.") }
    guard (1...256).contains(engines ?? 1) else { throw ValidationError("--engines must be 1 to 256.") }
  }

  func run() async throws {
    try await Terminal.reporting { try await start() }
  }

  private func start() async throws {
    var logger = Logger(label: "mien")
    logger.logLevel = .notice
    let store = try openStore()
    let pool = FaceEnginePool(
      models: places.modelFolder, engines: engines ?? ProcessInfo.processInfo.activeProcessorCount)
    // Better a server that says what it lacks than one that is not there.
    for obstacle in await pool.obstacles() {
      Terminal.note("NOT READY: \(places.words(obstacle)) Run scripts/install-parts.")
    }
    try await serve(pool, store: store, logger: logger)
  }

  private func openStore() throws -> SQLiteStore {
    do {
      try FileManager.default.createDirectory(
        atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ToolError("\(data) cannot be made: \(Terminal.reason(error))")
    }
    return try SQLiteStore(path: data + "/mien.sqlite")
  }

  private func serve(_ observer: some FaceObserver, store: SQLiteStore, logger: Logger) async throws {
    var settings = ServiceSettings()
    settings.lifetime = .seconds(Double(lifetime))
    settings.allowsDemo = demo ?? Self.isLoopback(host)
    let service = CheckService(
      store: store, observer: observer, clock: SystemClock(), settings: settings, dice: SystemRandomNumberGenerator())
    if let key = try await service.makeFirstKey() {
      try Terminal.say("API key: \(key)")
      Terminal.note("Keep this key: it is shown only now.")
    }
    var server = ServerSettings()
    server.host = host
    server.port = port
    server.web = web ?? Places.find("Web")
    let host = host
    let application = MienApplication.make(service: service, settings: server, logger: logger) { port in
      do {
        try Terminal.say("Listening on http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
      } catch {
        // A server whose starter no longer reads what it prints serves all the same.
        Terminal.note("\(error)")
      }
    }
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: Sweeper(service: service, logger: logger)), .init(service: application)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await group.run()
    } catch {
      throw ToolError("cannot serve on \(host), port \(server.port): \(error)")
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}

/// Ends checks that ran out of time, once a second.
private struct Sweeper<Observer: FaceObserver>: Service {
  let service: CheckService<Observer>
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: .seconds(1))
          try await service.sweep()
        } catch is CancellationError {
          return
        } catch {
          logger.error("sweep", metadata: ["error": "\(error)"])
        }
      }
    }
  }
}
