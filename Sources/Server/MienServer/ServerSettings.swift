public import Logging

/// Settings of the HTTP server.
public struct ServerSettings: Sendable {
  /// Address to listen on; anything but loopback needs a certificate or a TLS-terminating proxy.
  public var host = "127.0.0.1"
  public var port = 8080
  /// Folder with the browser client.
  public var web = "Web"
  /// Folder with the library that displays 3-D models; optional.
  public var viewer = ".mien/three"
  /// Folder with the documentation site; optional.
  public var docs = ".mien/docs"
  /// Origins of other pages that may use the API with a check's token, such as `https://shop.example`.
  public var allowedOrigins: Set<String> = []
  /// Origins of the URLs to which the page of a check may return a person.
  public var returnOrigins: Set<String> = []
  /// Public origin of this server, such as `https://check.example`; `nil` if it is unknown.
  public var publicURL: String?
  /// Contact for reports of vulnerabilities, such as `mailto:security@shop.example`; `nil` for none.
  public var securityContact: String?
  /// Apps that open links of this server.
  public var linkedApps = LinkedApps()
  /// Access without an API key.
  public var demo = DemoAccess.off
  /// `true` to allow webhooks over plain HTTP and to private networks.
  public var allowsPrivateWebhooks = false
  /// Memory budget for request bodies.
  public var bodies = BodyMemory(limit: 64 << 20)
  /// Maximum size of an image, in bytes.
  public var maximumFrameBytes = 4 << 20
  /// Maximum size of a JSON body, in bytes.
  public var maximumJSONBytes = 64 << 10
  /// Maximum size of a JSON body that creates a check, which may contain an image in base64, in bytes.
  public var maximumCheckBytes = 6 << 20
  /// Maximum size of a JSON body with two images in base64, in bytes.
  public var maximumComparisonBytes = 14 << 20
  /// Maximum size of a body of claimed observations, in bytes.
  public var maximumObservationBytes = 1 << 20
  /// Maximum size of a body of depth captures, in bytes.
  public var maximumDepthBytes = 32 << 20
  /// Maximum size of an image that may show a message ID, in bytes.
  public var maximumMessageImageBytes = 8 << 20
  /// Time in seconds after which an idle connection is closed.
  public var idleSeconds = 30
  /// Timeout in seconds for the head of a new connection's first request, and for a body that continues after its
  /// response.
  public var headSeconds = 10
  /// Timeout in seconds for later heads, and for a response that the client does not read.
  public var stallSeconds = 60
  /// Time in seconds to wait for any body, in addition to the time allowed for its bytes.
  public var bodySeconds = 30
  /// Minimum rate of a body beyond that, in bytes per second.
  public var minimumBodyRate = 16 << 10
  /// Maximum number of concurrent requests.
  public var maximumRequests = 2000
  /// Maximum number of concurrent connections; more wait to be accepted.
  public var maximumConnections = 10_000
  /// Maximum number of connections per address or, for IPv6, per /64 network. This machine and trusted proxies are not
  /// limited.
  public var connectionsPerAddress = 1000
  /// Proxies whose `X-Forwarded-For` is trusted.
  public var proxies = TrustedProxies()
  /// Sustained rate of requests per second and address; `nil` for no limit. Requests from this machine are not limited.
  public var requestsPerAddress: Int? = 200
  /// Maximum number of unknown API keys per minute and address; `nil` for no limit.
  public var wrongKeysPerMinute: Int? = 20
  /// Access log; `nil` for none.
  public var accessLog: Logger?
  /// Trace exporter, whose counts are part of `/metrics`; `nil` if tracing is off.
  public var exporter: TraceExporter?
  /// Certificate for TLS; `nil` serves plain HTTP.
  public var tls: ReloadingTLSCertificate?

  var bodyGrace: Duration { .seconds(bodySeconds) }

  public init() {}
}
