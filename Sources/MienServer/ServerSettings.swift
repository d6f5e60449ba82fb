/// What an operator can set about the HTTP server.
public struct ServerSettings: Sendable {
  /// The address to listen on; anything but loopback needs a TLS front.
  public var host = "127.0.0.1"
  public var port = 8080
  /// The folder with the browser client.
  public var web = "Web"
  /// The folder with the library that shows 3-D models; the pages do without where it is missing.
  public var viewer = ".mien/three"
  /// Origins of other pages that may use the API with a check's token, such as `https://shop.example`.
  public var allowedOrigins: Set<String> = []
  /// True when messages may also be posted over plain HTTP and to machines on private networks.
  public var allowsPrivateWebhooks = false
  /// The largest picture that is taken, in bytes.
  public var maximumFrameBytes = 4 << 20
  /// The largest JSON body that is taken, in bytes.
  public var maximumJSONBytes = 64 << 10
  /// The largest body of claimed observations, in bytes.
  public var maximumObservationBytes = 1 << 20
  /// The largest body of depth captures, in bytes.
  public var maximumDepthBytes = 32 << 20
  /// The largest picture that may show a message's number, in bytes.
  public var maximumMessagePictureBytes = 8 << 20
  /// A connection that brings nothing for this long is closed.
  public var idleSeconds = 30

  public init() {}
}
