internal import Hummingbird
internal import MienPlatform
internal import MienAccess
internal import MienMessageService
internal import NIOCore

/// Context of a request: its connection and credentials.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Address of the connection's remote end: the client, or a proxy in front of this server.
  let peer: String?
  /// Trusted proxies; set by ``RequestAdmission``.
  var proxies = TrustedProxies()
  /// Channel of the connection.
  let channel: any Channel
  /// API key of the request, once ``RequestAdmission`` has accepted it.
  var key: APIKeyRecord?
  /// Session of the request's cookie, if it has no other credential.
  var signedIn: AuthenticatedSession?
  /// Realm of the key or session; `nil` without one.
  var realm: Realm?
  /// `true` if the request has a valid API key or session.
  var isAuthenticated = false
  /// Actor for the audit log; `nil` for an unauthenticated client.
  var actor: String? { key?.id ?? signedIn?.actor }
  /// Realm of the message in the path; without one, the realm of the key or session.
  var messageRealm: Realm { parameters.get("id").map { Realm(ofMessage: $0) } ?? realm ?? .live }

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
