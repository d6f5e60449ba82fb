public import Logging

/// What an operator can set about the HTTP server.
public struct ServerSettings: Sendable {
  /// The address to listen on; anything but loopback needs a certificate or a TLS front.
  public var host = "127.0.0.1"
  public var port = 8080
  /// The folder with the browser client.
  public var web = "Web"
  /// The folder with the library that shows 3-D models; the pages do without where it is missing.
  public var viewer = ".mien/three"
  /// Origins of other pages that may use the API with a check's token, such as `https://shop.example`.
  public var allowedOrigins: Set<String> = []
  /// Who may use the server without an API key.
  public var demo = DemoAccess.off
  /// True when messages may also be posted over plain HTTP and to machines on private networks.
  public var allowsPrivateWebhooks = false
  /// What bodies of requests may take of the memory.
  public var bodies = BodyMemory(limit: 64 << 20)
  /// The largest picture that is taken, in bytes.
  public var maximumFrameBytes = 4 << 20
  /// The largest JSON body that is taken, in bytes.
  public var maximumJSONBytes = 64 << 10
  /// The largest body of claimed observations, in bytes.
  public var maximumObservationBytes = 1 << 20
  /// The largest body of depth captures, in bytes.
  public var maximumDepthBytes = 32 << 20
  /// The largest picture that may show a message's number, in bytes.
  public var maximumMessageImageBytes = 8 << 20
  /// A connection that brings nothing for this long is closed.
  public var idleSeconds = 30
  /// A new connection whose first request's head has not come whole after this long is closed, and one whose body goes on for this long
  /// after its reply.
  public var headSeconds = 10
  /// The same for a later head, and for a reply that is not taken.
  public var stallSeconds = 60
  /// How long the server waits for any body, in seconds, not counting what its bytes may take.
  public var bodySeconds = 30
  /// What a body must bring beyond that, in bytes a second.
  public var minimumBodyRate = 16 << 10
  /// How many requests are answered at once.
  public var maximumRequests = 2000
  /// How many connections stand at once; more wait to be accepted.
  public var maximumConnections = 10_000
  /// How many of them one address may have; of IPv6 its network of 64 bits. This machine's own and fronts are not counted.
  public var connectionsPerAddress = 1000
  /// Whose word about a caller's address is believed.
  public var proxies = TrustedProxies()
  /// How many requests an address may make in a second, over time; nil is any number. This machine's own are not counted.
  public var requestsPerAddress: Int? = 200
  /// How many unknown API keys an address may show in a minute; nil is any number.
  public var wrongKeysPerMinute: Int? = 20
  /// Where a line about each request goes; nil writes none.
  public var accessLog: Logger?
  /// What sends traces, for ``/metrics`` to tell what became of them; nil where nothing is traced.
  public var exporter: TraceExporter?
  /// The certificate to show; nil serves plain HTTP.
  public var tls: ReloadingTLSCertificate?

  var bodyGrace: Duration { .seconds(bodySeconds) }

  public init() {}
}
