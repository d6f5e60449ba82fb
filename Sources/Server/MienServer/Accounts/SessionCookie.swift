internal import HTTPTypes
internal import Hummingbird
internal import MienAccess
internal import MienPlatform

/// Session cookie of a signed-in user.
///
/// Over TLS it is `__Host-mien`: browsers accept a cookie with this prefix only from this host and only over TLS. Pages
/// on this machine without TLS use `mien`, which is ignored for all other clients.
enum SessionCookie {
  static let secure = "__Host-mien"
  static let plain = "mien"

  /// Returns the secret in the cookie, without verifying it.
  static func secret(_ request: Request, _ context: ServerContext) -> String? {
    let found = request.cookies[secure] ?? (context.isOwn(request) ? request.cookies[plain] : nil)
    return found?.value
  }

  /// Returns `true` if the cookie for this client must be `__Host-mien`, and `false` for the plain cookie; `nil` if the
  /// password was sent over the network in plain text.
  ///
  /// - Parameter isSecure: `true` if this server terminates TLS itself.
  static func isSecure(_ request: Request, _ context: ServerContext, isSecure: Bool) -> Bool? {
    // TLS terminated by a reverse proxy is visible in `Origin`; a client that forges it only harms its own cookie.
    if isSecure || request.headers[.origin]?.lowercased().hasPrefix("https://") == true { return true }
    return context.isOwn(request) ? false : nil
  }

  /// Returns the cookie of a session; with an empty secret, it deletes the browser's cookie.
  static func cookie(_ secret: String, isSecure: Bool) -> Cookie {
    Cookie(
      name: isSecure ? Self.secure : plain, value: secret, maxAge: secret.isEmpty ? 0 : nil, path: "/",
      secure: isSecure, httpOnly: true, sameSite: .strict)
  }
}

/// Protection of cookie-authenticated requests with side effects against cross-site request forgery.
enum CSRFProtection {
  /// Throws if the browser reports a cross-site request. A client without these headers is not a current browser.
  static func expectOwn(_ request: Request) throws {
    if let site = request.headers[.secFetchSite], site.lowercased() != "same-origin" { throw foreign }
    guard let origin = request.headers[.origin] else { return }
    let parts = origin.lowercased().split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, ["http:", "https:"].contains(parts[0]), parts[1].isEmpty,
      let host = request.head.authority?.lowercased(), parts[2] == host
    else { throw foreign }
  }

  /// Throws if a request lacks the CSRF token of its session.
  static func expectToken(_ request: Request, of signedIn: AuthenticatedSession) throws {
    guard let token = request.headers[.csrfToken], SecretDigest(of: token) == SecretDigest(of: signedIn.csrfToken)
    else {
      throw ServiceError(
        .forbidden,
        "A request that changes something and comes with a cookie needs the X-CSRF-Token that GET /v1/account returns.")
    }
  }

  private static var foreign: ServiceError {
    ServiceError(
      .forbidden,
      "This request comes from a page of another origin. A reverse proxy must forward the Host header unchanged.")
  }
}

extension HTTPField.Name {
  static var csrfToken: HTTPField.Name { HTTPField.Name("X-CSRF-Token")! }
  static var secFetchSite: HTTPField.Name { HTTPField.Name("Sec-Fetch-Site")! }
}
