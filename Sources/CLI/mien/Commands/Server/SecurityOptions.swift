internal import ArgumentParser
internal import MienRuntime
internal import MienServer

/// Security options of `mien serve`: TLS, proxies, and limits on connections and requests.
struct SecurityOptions: ParsableArguments {
  @Option(help: "Server certificate chain in PEM, with intermediate certificates; reloaded when it changes.")
  var tlsCert: String?
  @Option(help: "Private key of the certificate in PEM.")
  var tlsKey: String?
  @Option(help: "Sustained requests per second allowed per API key; 0: unlimited.")
  var keyRate = 0
  @Option(
    help: "Sustained requests per second allowed per address; 0: unlimited. Loopback is exempt.")
  var addressRate = 200
  @Option(
    name: .customLong("trusted-proxy"),
    help: ArgumentHelp(
      """
      Reverse proxy on another machine whose X-Forwarded-For is trusted: an address, or a block such as 10.0.0.0/24; \
      repeatable.
      """, valueName: "address"))
  var trustedProxies: [String] = []
  @Option(help: "Maximum concurrent requests; further requests get an error and can be retried.")
  var maximumRequests = 2000
  @Option(
    help:
      "Maximum open connections; lower if the limit of open files (ulimit -n) requires it."
  )
  var maximumConnections = 10_000
  @Option(help: "Maximum open connections per address; loopback and --trusted-proxy are exempt.")
  var addressConnections = 1000
  @Option(help: "Timeout for a request body in seconds, plus the time its bytes take at 16 KiB per second.")
  var bodySeconds = 30
  @Option(help: "Timeout in seconds for the first request head on a new connection.")
  var headSeconds = 10
  @Option(help: "Timeout in seconds for later request heads, and for clients that do not read their response.")
  var stallSeconds = 60
  @Option(help: "Maximum memory for all request bodies together, in megabytes.")
  var bodyMegabytes = 64

  @Flag(help: "Log a line per request: ID, method, route, status, and milliseconds; no address and no path.")
  var accessLog = false

  func validate() throws {
    guard (tlsCert == nil) == (tlsKey == nil) else { throw ValidationError("--tls-cert and --tls-key go together.") }
    guard (0...1_000_000).contains(keyRate) else { throw ValidationError("--key-rate must be 0 to 1000000.") }
    guard (0...1_000_000).contains(addressRate) else { throw ValidationError("--address-rate must be 0 to 1000000.") }
    guard TrustedProxies(trustedProxies) != nil else {
      throw ValidationError(
        "--trusted-proxy must be an address or a block of addresses, such as 10.0.0.7 or fd00::/64.")
    }
    guard (1...100_000).contains(maximumRequests) else {
      throw ValidationError("--maximum-requests must be 1 to 100000.")
    }
    guard (1...1_000_000).contains(maximumConnections) else {
      throw ValidationError("--maximum-connections must be 1 to 1000000.")
    }
    guard (1...1_000_000).contains(addressConnections) else {
      throw ValidationError("--address-connections must be 1 to 1000000.")
    }
    guard (1...3600).contains(headSeconds) else { throw ValidationError("--head-seconds must be 1 to 3600.") }
    guard (1...3600).contains(stallSeconds) else { throw ValidationError("--stall-seconds must be 1 to 3600.") }
    guard (64...65_536).contains(bodyMegabytes) else {
      throw ValidationError("--body-megabytes must be 64 to 65536.")
    }
    guard (1...3600).contains(bodySeconds) else { throw ValidationError("--body-seconds must be 1 to 3600.") }
  }

  func apply(to settings: inout RuntimeSettings) {
    settings.http.requestsPerAddress = addressRate == 0 ? nil : addressRate
    if let proxies = TrustedProxies(trustedProxies) { settings.http.proxies = proxies }
    settings.http.maximumRequests = maximumRequests
    settings.http.maximumConnections = maximumConnections
    settings.http.connectionsPerAddress = addressConnections
    settings.http.bodySeconds = bodySeconds
    settings.http.headSeconds = headSeconds
    settings.http.stallSeconds = stallSeconds
    settings.http.bodies = BodyMemory(limit: bodyMegabytes << 20)
    settings.logsRequests = accessLog
    settings.requestsPerKey = keyRate == 0 ? nil : keyRate
    if let tlsCert, let tlsKey { settings.tls = TLSFiles(certificate: tlsCert, key: tlsKey) }
  }
}

/// App Attest options of `mien serve`: the trusted root certificate and the operator's own apps.
struct AppAttestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Verify App Attest with this root: the certificate of Apple's App Attestation Root CA in PEM.",
      valueName: "file"))
  var appAttestRoot: String?
  @Option(
    help: ArgumentHelp(
      "App ID (team and bundle identifier) to accept, such as TEAMID1234.com.example.app; repeatable.",
      valueName: "app"))
  var appAttestApp: [String] = []
  @Flag(help: "Also accept attestations from Apple's development environment, for testing.")
  var appAttestDevelopment = false

  func validate() throws {
    guard (appAttestRoot == nil) == appAttestApp.isEmpty else {
      throw ValidationError("--app-attest-root and --app-attest-app go together.")
    }
    guard appAttestRoot != nil || !appAttestDevelopment else {
      throw ValidationError("--app-attest-development needs --app-attest-root.")
    }
  }

  /// Settings; `nil` if App Attest is not configured.
  var settings: AttestationSettings? {
    appAttestRoot.map {
      AttestationSettings(root: $0, apps: appAttestApp, allowsDevelopment: appAttestDevelopment)
    }
  }
}

/// Options of content credentials (C2PA): the signers that the operator trusts, and the certificate to sign with.
struct ProvenanceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Trust signers of content credentials whose certificates one of the certificates in this file (PEM) issued; repeatable.",
      valueName: "file"))
  var provenanceTrust: [String] = []

  @Option(
    help: ArgumentHelp(
      "Sign GIFs of messages, received photos and surfaces of scans with this certificate chain in PEM, the signer's first.",
      valueName: "file"))
  var provenanceCertificate: String?
  @Option(
    help: ArgumentHelp(
      "Private key of that certificate in PEM, not readable by others. It is sealed in the database and needed once.",
      valueName: "file"))
  var provenanceKey: String?

  func validate() throws {
    guard provenanceKey == nil || provenanceCertificate != nil else {
      throw ValidationError("--provenance-key needs --provenance-certificate.")
    }
  }

  var settings: ProvenanceSettings {
    var files: ProvenanceSettings.SigningFiles?
    if let provenanceCertificate {
      files = ProvenanceSettings.SigningFiles(certificate: provenanceCertificate, key: provenanceKey)
    }
    return ProvenanceSettings(
      trustLists: provenanceTrust, signing: files, version: MienCommand.configuration.version,
      isIsolated: true)
  }
}

/// Trace export options.
struct TraceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Send traces to the OpenTelemetry collector at this address (OTLP over HTTP): http://127.0.0.1:4318.",
      valueName: "url"))
  var otlp: String?
  @Option(help: "Trace one in this many requests; a traceparent header takes precedence.")
  var otlpOneIn = 1

  func validate() throws {
    if let otlp, OTLPEndpoint(otlp) == nil { throw ValidationError(OTLPEndpoint.hint) }
    guard (1...1_000_000).contains(otlpOneIn) else { throw ValidationError("--otlp-one-in must be 1 to 1000000.") }
  }

  /// Settings; `nil` if tracing is not configured.
  var settings: TracingSettings? {
    otlp.flatMap { OTLPEndpoint($0) }.map { endpoint in
      TracingSettings(endpoint: endpoint, oneIn: otlpOneIn, version: MienCommand.configuration.version)
    }
  }
}
