internal import Hummingbird
internal import MienService
internal import NIOCore

/// Context of a request: its connection and credentials.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Address of the connection's remote end: the client, or a proxy in front of this server.
  let peer: String?
  /// Trusted proxies; set by ``AdmissionMiddleware``.
  var proxies = TrustedProxies()
  /// Channel of the connection.
  let channel: any Channel
  /// API key of the request, once ``AdmissionMiddleware`` has accepted it, and its realm.
  var key: APIKeyRecord?
  var keySpace: Realm?
  /// Session of the request's cookie, if it has no other credential.
  var signedIn: AuthenticatedSession?
  /// `true` if the request needs no key for demo functions.
  var isDemoAllowed = false
  /// Actor for the audit log; `nil` for an unauthenticated client.
  var actor: String? { key?.id ?? signedIn?.actor }

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
    peer = source.channel.remoteAddress?.ipAddress
  }

  /// Returns `true` for a request from this machine that was not forwarded by a proxy.
  func isOwn(_ request: Request) -> Bool { ClientAddress(peer: peer, proxies: proxies).isOwn(request) }

  /// Returns the client address to which a request is attributed.
  func caller(of request: Request) -> String { ClientAddress(peer: peer, proxies: proxies).address(of: request) }
}
