internal import HTTPTypes
internal import Hummingbird
internal import MienPlatform
internal import MienAccess

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
        "A request that changes something and comes with a cookie needs X-CSRF-Token, as GET /v1/account tells it.")
    }
  }

  private static var foreign: ServiceError {
    ServiceError(
      .forbidden,
      "This request comes from a page of another origin. A front before this server must hand on Host as it came.")
  }
}

extension HTTPField.Name {
  static var csrfToken: HTTPField.Name { HTTPField.Name("X-CSRF-Token")! }
  static var secFetchSite: HTTPField.Name { HTTPField.Name("Sec-Fetch-Site")! }
}
