internal import HTTPTypes
internal import Hummingbird

/// Adds the same security headers to every response.
struct SecurityHeaders: Sendable {
  /// Headers for resources that only the server's own pages may load, and for those that pages of any origin may load.
  let own: HTTPFields
  private let shared: HTTPFields
  private let names: Set<HTTPField.Name>

  static var policy: String {
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
      + "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  /// - Parameter isSecure: `true` if the server terminates TLS itself; a reverse proxy adds its own
  ///   `Strict-Transport-Security`.
  init(isSecure: Bool) {
    var fields: HTTPFields = [
      .contentSecurityPolicy: Self.policy, .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer",
      .permissionsPolicy: "camera=(self), microphone=(), geolocation=()", .xFrameOptions: "DENY",
      .crossDomainPolicies: "none", .crossOriginOpenerPolicy: "same-origin", .crossOriginResourcePolicy: "same-origin",
    ]
    if isSecure { fields[.strictTransportSecurity] = "max-age=31536000" }
    own = fields
    fields[.crossOriginResourcePolicy] = "cross-origin"
    shared = fields
    names = Set(fields.map(\.name))
  }

  /// Adds the headers to a response, in place of any of the same name.
  ///
  /// - Parameter isShared: `true` for files that pages of any origin may load.
  func add(to response: inout Response, isShared: Bool) {
    // Replaces all headers at once: inserting each individually is slower.
    var fields = isShared ? shared : own
    fields.append(contentsOf: response.headers.lazy.filter { !names.contains($0.name) })
    response.headers = fields
  }
}

extension HTTPField.Name {
  static let xFrameOptions = HTTPField.Name("X-Frame-Options")!
  static let crossDomainPolicies = HTTPField.Name("X-Permitted-Cross-Domain-Policies")!
  static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
  static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
  static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
}
