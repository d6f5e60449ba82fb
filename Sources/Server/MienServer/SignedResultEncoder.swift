internal import Foundation
internal import Hummingbird
internal import MienAPI
internal import MienChecks
internal import MienCore
internal import MienPlatform
internal import MienSecurity

/// Signs results for verification by third parties.
enum SignedResultEncoder {
  /// Returns the compact JWS of a decided check.
  static func signed(_ record: CheckRecord, _ result: CheckResult, with signer: ResultSigner) -> String {
    let payload = SignedResult(
      subject: record.id.text, issuedAt: result.decided.milliseconds / 1000, outcome: result.outcome.rawValue,
      reason: result.reason, challenge: record.challenge(decidedBy: result),
      assurance: record.assurance?.rawValue, bitsOfChoice: record.roundedBits, person: record.person?.text,
      reference: record.reference, source: result.source.rawValue, basis: result.basis.rawValue,
      settings: result.settings,
      findings: result.findings.filter { !$0.isMatch }.map(FindingResponse.init),
      frames: result.received.map { SignedResult.Frames(count: $0.count, chain: $0.text) },
      previousAttempts: result.previousAttempts.isEmpty
        ? nil : result.previousAttempts.map { SignedResult.Attempt(outcome: $0.outcome, reason: $0.reason) },
      match: MatchResponse(record, result)?.decision)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(payload) else {
      preconditionFailure("every result is plain values and finite numbers")
    }
    return signer.sign(Array(bytes))
  }
}

/// Publishes the public keys for verifying signed results. The sandbox's key has a separate path, so that clients of
/// the well-known path do not trust sandbox results.
///
/// The keys are public: pages of every origin may read them, and clients and proxies may cache them.
struct JWKSRoutes: Sendable {
  private static let cacheSeconds = 300

  let live: ResultSigner?
  let sandbox: ResultSigner?

  func add(to routes: inout APIRoutes) {
    add(live, at: "/.well-known/jwks.json", to: &routes)
    add(sandbox, at: "/.well-known/jwks-sandbox.json", to: &routes)
  }

  private func add(_ signer: ResultSigner?, at path: String, to routes: inout APIRoutes) {
    guard let signer else { return }
    routes.get(path, RoutePolicy(.anyone, origins: .everyPage)) { _ in
      var response = JSONResponse.json(
        KeySetResponse(kid: signer.keyID, x: signer.x, y: signer.y), type: "application/jwk-set+json")
      // Short enough for clients to notice a new key soon after the server's data was replaced.
      response.headers[.cacheControl] = "public, max-age=\(Self.cacheSeconds)"
      return response
    }
  }
}
