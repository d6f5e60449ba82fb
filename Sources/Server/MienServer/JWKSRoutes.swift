internal import Hummingbird
internal import MienService
internal import MienAPI

/// Publishes the public keys for verifying signed results. The sandbox's key has a separate path, so that clients of
/// the well-known path do not trust sandbox results.
struct JWKSRoutes: Sendable {
  let live: ResultSigner?
  let sandbox: ResultSigner?

  func add(to router: Router<ServerContext>) {
    add(live, at: "/.well-known/jwks.json", to: router)
    add(sandbox, at: "/.well-known/jwks-sandbox.json", to: router)
  }

  private func add(_ signer: ResultSigner?, at path: String, to router: Router<ServerContext>) {
    guard let signer else { return }
    router.get(RouterPath(path)) { _, _ in
      JSONResponse.json(KeySetResponse(kid: signer.keyID, x: signer.x, y: signer.y), type: "application/jwk-set+json")
    }
  }
}
