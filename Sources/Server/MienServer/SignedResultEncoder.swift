internal import Foundation
internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import MienChecks
internal import MienAPI

/// Signs results for verification by third parties.
enum SignedResultEncoder {
  /// Returns the compact JWS of a decided check.
  static func signed(_ record: CheckRecord, _ result: CheckResult, with signer: ResultSigner) -> String {
    let payload = SignedResult(
      subject: record.id.text, issuedAt: result.decided.milliseconds / 1000, outcome: result.outcome.rawValue,
      reason: result.reason, challenge: record.challenge(decidedBy: result), person: record.person?.text,
      reference: record.reference, source: result.source.rawValue, assurance: result.assurance.rawValue,
      settings: result.settings,
      findings: result.findings.map(FindingResponse.init),
      frames: result.received.map { SignedResult.Frames(count: $0.count, chain: $0.text) },
      earlier: result.earlier.isEmpty
        ? nil : result.earlier.map { SignedResult.Attempt(outcome: $0.outcome, reason: $0.reason) })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(payload) else {
      preconditionFailure("every result is plain values and finite numbers")
    }
    return signer.sign(Array(bytes))
  }
}
