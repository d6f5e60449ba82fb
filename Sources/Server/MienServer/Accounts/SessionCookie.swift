internal import HTTPTypes
internal import Hummingbird

/// The cookie of somebody who is signed in.
///
/// Over TLS it is `__Host-mien`: browsers take one of that name from this host only, and only over TLS. A page of this
/// machine without TLS has `mien`, which is believed of nobody else.
enum SessionCookie {
  static let secure = "__Host-mien"
  static let plain = "mien"

  /// What the cookie holds, good or not.
  static func secret(_ request: Request, _ context: ServerContext) -> String? {
    let found = request.cookies[secure] ?? (context.isOwn(request) ? request.cookies[plain] : nil)
    return found?.value
  }

  /// The name and attributes of the cookie for whoever sends this request; nil where its password came over the network in
  /// the clear.
  ///
  /// - Parameter isSecure: true where this server speaks TLS itself.
  static func isSecure(_ request: Request, _ context: ServerContext, isSecure: Bool) -> Bool? {
    // A front that speaks TLS shows in the browser's own words; who makes them up only harms their own cookie.
    if isSecure || request.headers[.origin]?.lowercased().hasPrefix("https://") == true { return true }
    return context.isOwn(request) ? false : nil
  }

  /// `Set-Cookie` for a session; an empty secret takes the cookie away.
  static func header(_ secret: String, isSecure: Bool) -> String {
    let end = secret.isEmpty ? "; Max-Age=0" : ""
    return isSecure
      ? "\(Self.secure)=\(secret); Path=/; Secure; HttpOnly; SameSite=Strict\(end)"
      : "\(plain)=\(secret); Path=/; HttpOnly; SameSite=Strict\(end)"
  }
}
