import ArgumentParser
import Foundation
import MienCore
import MienRuntime
import MienServer
import MienChecks
import MienCaptures
import MienScanService
import MienMessageService

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

  enum Assurance: String, ExpressibleByArgument, CaseIterable {
    case basic, standard, high

    var level: AssuranceLevel {
      switch self {
      case .basic: .basic
      case .standard: .standard
      case .high: .high
      }
    }
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
      Strength of checks that request neither a strength nor tasks, and of all sessions of the AWS- and \
      Youverify-compatible APIs: basic (one head turn, which recordings pass), standard, or high.
      """)
  var defaultAssurance = Assurance.standard
  @Option(help: "Effect of passive signals on the result: off, report, or refuse.")
  var passive = Passive.refuse
  @Option(
    help: """
      Effect of frames reused from an earlier check on this server: off, report, or refuse. Use refuse only if people use \
      their own cameras: with a fixed camera, one person's head turns look alike.
      """)
  var replays = Passive.report
  @Option(
    help: """
      Effect of a change of person during a check: off, report, or refuse. Needs the recognition model (mien doctor).
      """)
  var personChange = Passive.refuse
  @Flag(
    help: """
      Allow persons to be enrolled for face match: store the templates of their faces, encrypted, until they are deleted. \
      Needs the recognition model (mien doctor).
      """)
  var templates = false
  @Option(
    help: "Origin of a page that may use the API with a check's token, such as https://shop.example; repeatable.")
  var allowOrigin: [String] = []
  @Option(
    help: """
      Origin that the page of a check may lead back to ("return_url"), such as https://shop.example; http on this \
      machine only; repeatable.
      """)
  var returnOrigin: [String] = []
  @Option(
    help: """
      Origin of this server as people reach it, such as https://check.example. The "page" of a created check is then a \
      whole address.
      """)
  var publicURL: String?
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
  var clips = true
  @OptionGroup var assets: AssetOptions
  @OptionGroup(title: "Guarding") var security: SecurityOptions
  @OptionGroup(title: "Storage") var storage: StorageOptions
  @OptionGroup(title: "App Attest") var attest: AppAttestOptions
  @OptionGroup(title: "Tracing") var tracing: TraceOptions

  func validate() throws {
    if let store, !StoreLocation.isURL(store) { throw ValidationError(StoreLocation.hint) }
    if let blobs, !BlobBucket.isURL(blobs) { throw ValidationError(BlobBucket.hint) }
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
    for origin in returnOrigin where !Self.isOrigin(origin) || !Self.isSecure(origin) {
      throw ValidationError(
        "--return-origin \(origin): an origin is https, host and port only, as https://shop.example; http for this "
          + "machine only.")
    }
    if let publicURL, !Self.isOrigin(publicURL) {
      throw ValidationError(
        "--public-url \(publicURL): an origin is scheme, host and port only, as https://check.example.")
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
        OptionCatalog(
          help: ServeCommand.helpMessage(columns: 200),
          lists: ["allow-origin", "app-attest-app", "return-origin", "trusted-proxy"]),
        file: config,
        environment: ProcessInfo.processInfo.environment)
      let given = Array(CommandLine.arguments.dropFirst(2))
      // Parsed as a subcommand of the root, so that error messages refer to `mien serve`.
      let whole = try await MienCommand.asyncParseAsRoot(["serve"] + (try sources.arguments(over: given)))
      // For `--help`, the parser returns the command that prints the help.
      guard let serve = whole as? ServeCommand else {
        var command = whole
        return try command.run()
      }
      try await ServerRuntime(serve.settings, console: TerminalConsole(), stopsOnSignals: true).run()
    }
  }

  private var settings: RuntimeSettings {
    var settings = RuntimeSettings(store: StoreLocation(data: data, store: store), assets: assets.location)
    settings.blobs = blobs
    settings.engines = engines
    settings.encodesClips = clips
    settings.attestation = attest.settings
    settings.tracing = tracing.settings
    settings.http.host = host
    settings.http.port = port
    settings.http.web = web ?? AssetLocation.find("Web")
    settings.http.viewer = AssetLocation.viewer
    settings.http.docs = AssetLocation.docs
    settings.http.allowedOrigins = Set(allowOrigin)
    settings.http.returnOrigins = Set(returnOrigin)
    settings.http.publicURL = publicURL
    settings.http.demo = demo.map { $0 ? .everybody : .off } ?? (Self.isLoopback(host) ? .ownMachine : .off)
    settings.http.allowsPrivateWebhooks = allowPrivateWebhooks
    security.apply(to: &settings)
    settings.checks.lifetime = .seconds(Double(lifetime))
    settings.checks.keepsImages = images
    settings.checks.imageLifetime = .seconds(Double(imageLifetime))
    settings.checks.clipLifetime = .seconds(Double(clipLifetime))
    settings.checks.resultLifetime = Self.days(resultDays)
    settings.checks.passive = passive.policy
    settings.checks.replays = replays.policy
    settings.checks.personChange = personChange.policy
    settings.checks.keepsTemplates = templates
    settings.checks.defaultAssurance = defaultAssurance.level
    settings.checks.allowsClaims = allowClaimedObservations
    settings.checks.lockout = LockoutSettings(failures: lockoutFailures)
    settings.messages.locksPerHour = messageLimit
    settings.messages.allowsClaims = allowClaimedObservations
    settings.captures.capturesPerHour = captureLimit
    settings.captures.quotas = storage.quotas
    settings.captures.checkLimits = storage.checkCaptureLimits
    settings.captures.lifetime = Self.days(captureDays)
    settings.scans.maximumBytes = scanMegabytes << 20
    settings.scans.maximumCheckBytes = checkScanMegabytes << 20
    settings.scans.quotas = storage.quotas
    settings.scans.timeout = storage.unfinishedLifetime
    settings.scans.lifetime = Self.days(scanDays)
    return settings
  }

  /// Converts a number of days to a lifetime; 0 is none.
  private static func days(_ days: Int) -> Interval? { days == 0 ? nil : .seconds(Double(days) * 86_400) }

  /// Returns `true` for an HTTP or HTTPS origin as sent by browsers in `Origin` (RFC 6454).
  private static func isOrigin(_ text: String) -> Bool {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty
    else {
      return false
    }
    let port = parts.port.map { ":\($0)" } ?? ""
    return ["http", "https"].contains(scheme) && text == "\(scheme)://\(host)\(port)"
  }

  /// Returns `true` for an origin over HTTPS or on this machine.
  private static func isSecure(_ origin: String) -> Bool {
    guard let parts = URLComponents(string: origin) else { return false }
    return parts.scheme == "https" || isLoopback(parts.host ?? "")
  }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}
