import ArgumentParser
import Logging
import MienServer

/// Security options of `mien serve`: TLS, proxies, and limits on connections and requests.
struct SecurityOptions: ParsableArguments {
  @Option(help: "The server's certificate in PEM, with those between it and its root; read again when it changes.")
  var tlsCert: String?
  @Option(help: "The certificate's private key in PEM.")
  var tlsKey: String?
  @Option(help: "How many requests an API key may be shown with in a second, over time; 0: any number.")
  var keyRate = 0
  @Option(
    help: "How many requests an address may make in a second, over time; 0: any number. This machine is not counted.")
  var addressRate = 200
  @Option(
    name: .customLong("trusted-proxy"),
    help: ArgumentHelp(
      """
      A front on another machine whose X-Forwarded-For is believed: its address, or a block such as 10.0.0.0/24; may be \
      repeated.
      """, valueName: "address"))
  var trustedProxies: [String] = []
  @Option(help: "How many requests are answered at once; more are told to come again.")
  var maximumRequests = 2000
  @Option(
    help:
      "How many connections may be open at once; fewer where the limit of open files (ulimit -n) leaves no room for them."
  )
  var maximumConnections = 10_000
  @Option(help: "How many of them one address may have; this machine and --trusted-proxy are not counted.")
  var addressConnections = 1000
  @Option(help: "How many seconds to wait for a request's body, beside the time for its bytes at 16 KiB a second.")
  var bodySeconds = 30
  @Option(help: "How many seconds a new connection may take until the head of its first request has come.")
  var headSeconds = 10
  @Option(help: "How many seconds to wait for a later request's head, and for a client that does not read its reply.")
  var stallSeconds = 60
  @Option(help: "How many megabytes of memory requests' bodies may take together.")
  var bodyMegabytes = 64

  @Flag(help: "Write a line about each request: id, method, route, status, milliseconds; no address and no path.")
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

  /// - Throws: ``CommandError`` for a certificate that cannot be used.
  func apply(to server: inout ServerSettings) throws {
    server.requestsPerAddress = addressRate == 0 ? nil : addressRate
    if let proxies = TrustedProxies(trustedProxies) { server.proxies = proxies }
    server.maximumRequests = maximumRequests
    server.maximumConnections = maximumConnections
    server.connectionsPerAddress = addressConnections
    server.bodySeconds = bodySeconds
    server.headSeconds = headSeconds
    server.stallSeconds = stallSeconds
    server.bodies = BodyMemory(limit: bodyMegabytes << 20)
    if accessLog { server.accessLog = Logger(label: "mien.access") }
    guard let tlsCert, let tlsKey else { return }
    do {
      server.tls = try ReloadingTLSCertificate(certificate: tlsCert, key: tlsKey)
    } catch let error as TLSFilesError {
      throw CommandError("\(error)")
    }
  }
}
