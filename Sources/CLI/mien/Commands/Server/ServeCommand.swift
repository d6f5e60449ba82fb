import ArgumentParser
import Foundation
import MienRuntime
import MienServer

/// `mien serve`: runs the HTTP server with the embedded database or PostgreSQL.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the server: API and web pages.",
    discussion: """
      Examples:
        mien serve                                            on http://127.0.0.1:8080, for this machine
        mien serve --config /etc/mien/mien.json               with settings from a file
        mien serve --host 0.0.0.0 --port 443 --tls-cert chain.pem --tls-key key.pem
        mien serve --store postgres://… --blobs s3://…        several servers with the same data

      On first start, an API key is created and printed once; only its digest is stored.
      """)

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
  @Flag(
    inversion: .prefixedNo,
    help: """
      Demo mode: allow checks, messages, captures, and scans without an API key, and reading all scans (default: on \
      loopback, only for clients on this machine).
      """)
  var demo: Bool?
  @Option(help: "Frames processed in parallel (default: one per core).")
  var engines: Int?
  @OptionGroup var assets: AssetOptions
  @OptionGroup(title: "Checks") var checking: CheckOptions
  @OptionGroup(title: "Pages and other sites") var pages: PageOptions
  @OptionGroup(title: "Messages, captures, and scans") var limits: ServiceLimitOptions
  @OptionGroup(title: "Security") var security: SecurityOptions
  @OptionGroup(title: "Storage") var storage: StorageOptions
  @OptionGroup(title: "App Attest") var attest: AppAttestOptions
  @OptionGroup(title: "Content credentials") var provenance: ProvenanceOptions
  @OptionGroup(title: "Tracing") var tracing: TraceOptions

  func validate() throws {
    if let store, !StoreLocation.isURL(store) { throw ValidationError(StoreLocation.hint) }
    if let blobs, !BlobBucket.isURL(blobs) { throw ValidationError(BlobBucket.hint) }
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
    guard (1...256).contains(engines ?? 1) else { throw ValidationError("--engines must be 1 to 256.") }
  }

  func run() async throws {
    try await Terminal.reporting {
      let sources = try LayeredConfiguration(
        OptionCatalog(
          help: ServeCommand.helpMessage(columns: 200),
          lists: [
            "allow-origin", "android-app-link", "app-attest-app", "app-link", "provenance-trust", "return-origin",
            "trusted-proxy",
          ]),
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
    settings.attestation = attest.settings
    settings.provenance = provenance.settings
    settings.tracing = tracing.settings
    settings.http.host = host
    settings.http.port = port
    let isLoopback = ListeningAddress(host: host, port: port).isLoopback
    settings.http.demo = demo.map { $0 ? .everybody : .off } ?? (isLoopback ? .ownMachine : .off)
    security.apply(to: &settings)
    checking.apply(to: &settings)
    pages.apply(to: &settings)
    limits.apply(to: &settings)
    storage.apply(to: &settings)
    return settings
  }
}
