internal import Hummingbird
internal import MienService
internal import NIOCore

/// What goes with a request through the routes: where it came from.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The other end of the connection: the caller, or a proxy before this server.
  let peer: String?
  /// Whose word about the caller is believed; the doorman sets it.
  var proxies = TrustedProxies()
  /// The connection.
  let channel: any Channel
  /// The API key that the request shows, once the doorman has let it in, and whose it is.
  var key: APIKeyRecord?
  var keySpace: Realm?
  /// Who is signed in with the cookie that the request shows, where it shows nothing else.
  var signedIn: AuthenticatedSession?
  /// True where this request needs no key to try things out.
  var isDemoAllowed = false
  /// Who asks, as the audit log names them; nil for a stranger.
  var actor: String? { key?.id ?? signedIn?.actor }

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    peer = source.channel.remoteAddress?.ipAddress
  }

  /// True for a request of this machine's own, which no proxy has handed on.
  func isOwn(_ request: Request) -> Bool { ClientAddress(peer: peer, proxies: proxies).isOwn(request) }

  /// Whom to count a request for.
  func caller(of request: Request) -> String { ClientAddress(peer: peer, proxies: proxies).address(of: request) }
}
