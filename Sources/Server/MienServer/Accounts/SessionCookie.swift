internal import HTTPTypes
internal import Hummingbird

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
