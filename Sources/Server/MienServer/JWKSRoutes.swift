internal import Hummingbird
internal import MienSecurity
internal import MienAPI

/// Publishes the public keys for verifying signed results. The sandbox's key has a separate path, so that clients of
/// the well-known path do not trust sandbox results.
struct JWKSRoutes: Sendable {
  let live: ResultSigner?
  let sandbox: ResultSigner?

  func add(to routes: inout APIRoutes) {
    add(live, at: "/.well-known/jwks.json", to: &routes)
    add(sandbox, at: "/.well-known/jwks-sandbox.json", to: &routes)
  }

  private func add(_ signer: ResultSigner?, at path: String, to routes: inout APIRoutes) {
    guard let signer else { return }
    routes.get(path, RoutePolicy(.anyone, origins: .none)) { _ in
      JSONResponse.json(KeySetResponse(kid: signer.keyID, x: signer.x, y: signer.y), type: "application/jwk-set+json")
    }
  }
}
