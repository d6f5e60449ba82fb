internal import HTTPTypes
internal import Hummingbird

/// Adds the same security headers to every response.
struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
  /// Headers for resources that only the server's own pages may load, and for those that pages of any origin may load.
  let own: HTTPFields
  private let shared: HTTPFields
  private let names: Set<HTTPField.Name>

  static var policy: String {
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
      + "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
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

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    // Replaces all headers at once: inserting each individually is slower.
    var fields = OriginPolicyMiddleware<Context>.isPublicFile(request.uri.path) ? shared : own
    fields.append(contentsOf: response.headers.lazy.filter { !names.contains($0.name) })
    response.headers = fields
    return response
  }
}

extension HTTPField.Name {
  static let xFrameOptions = HTTPField.Name("X-Frame-Options")!
  static let crossDomainPolicies = HTTPField.Name("X-Permitted-Cross-Domain-Policies")!
  static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
  static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
  static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
}
