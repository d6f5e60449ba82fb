internal import HTTPTypes
internal import Hummingbird

/// Puts the same guarding headers on every response.
struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
  /// True where the server speaks TLS itself; a front says so for itself.
  let isSecure: Bool

  static var policy: String {
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
      + "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.contentSecurityPolicy] = Self.policy
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.referrerPolicy] = "no-referrer"
    response.headers[.permissionsPolicy] = "camera=(self), microphone=(), geolocation=()"
    response.headers[.xFrameOptions] = "DENY"
    response.headers[.crossDomainPolicies] = "none"
    if isSecure { response.headers[.strictTransportSecurity] = "max-age=31536000" }
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    response.headers[.crossOriginResourcePolicy] =
      CrossOrigin<Context>.isPublicFile(request.uri.path) ? "cross-origin" : "same-origin"
    return response
  }
}

extension HTTPField.Name {
  static var xFrameOptions: HTTPField.Name { HTTPField.Name("X-Frame-Options")! }
  static var crossDomainPolicies: HTTPField.Name { HTTPField.Name("X-Permitted-Cross-Domain-Policies")! }
  static var referrerPolicy: HTTPField.Name { HTTPField.Name("Referrer-Policy")! }
  static var permissionsPolicy: HTTPField.Name { HTTPField.Name("Permissions-Policy")! }
  static var crossOriginOpenerPolicy: HTTPField.Name { HTTPField.Name("Cross-Origin-Opener-Policy")! }
}
