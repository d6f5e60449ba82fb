internal import HTTPTypes
internal import Hummingbird
internal import MienPlatform

/// Route of the contact for reports of vulnerabilities (RFC 9116), if the operator named one.
struct SecurityContactRoutes: Sendable {
  let contact: String?
  let clock: any ServiceClock
  let publicURL: String?

  /// The standard recommends less than a year, so that an outdated contact does not stay in use.
  private static let validDays: Int64 = 180

  func add(to routes: inout APIRoutes) {
    routes.get("/.well-known/security.txt", RoutePolicy(.anyone, origins: .none)) { _ in
      guard let contact else {
        throw ServiceError(.notFound, "The operator has named no contact for reports of vulnerabilities.")
      }
      let until = clock.timeOfDay().milliseconds + Self.validDays * 86_400_000
      var text = "Contact: \(contact)\nExpires: \(JSONResponse.rfc3339(milliseconds: until))\n"
      if let publicURL { text += "Canonical: \(publicURL)/.well-known/security.txt\n" }
      return JSONResponse.text(text, type: "text/plain; charset=utf-8")
    }
  }
}
