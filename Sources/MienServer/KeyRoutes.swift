internal import Hummingbird
internal import MienService
internal import MienWire

/// Publishes the key that signed results are checked with.
struct KeyRoutes: Sendable {
  let signer: ResultSigner?

  func add(to router: Router<BasicRequestContext>) {
    guard let signer else { return }
    router.get("/.well-known/jwks.json") { _, _ in
      Replies.json(KeySetReply(kid: signer.keyID, x: signer.x, y: signer.y), type: "application/jwk-set+json")
    }
  }
}
