internal import Foundation
internal import MienCore
internal import MienPlatform
public import MienSecurity
public import MienWebhooks
public import MienChecks
internal import MienAPI

/// Builds the bodies posted to webhooks.
public struct WebhookPayloads: WebhookPayloadSource {
  private let checks: any CheckStore
  private let signer: ResultSigner?

  /// - Parameters:
  ///   - checks: store of the checks that messages are about.
  ///   - signer: signer of the results; `nil` leaves them unsigned.
  public init(checks: any CheckStore, signer: ResultSigner?) {
    self.checks = checks
    self.signer = signer
  }

  public func body(of delivery: WebhookDelivery) async throws -> [UInt8]? {
    var payload = WebhookBody.Payload(id: delivery.webhook.text)
    if let check = delivery.check {
      guard let (record, found) = try await checks.check(check), let result = found else { return nil }
      payload = WebhookBody.Payload(
        id: record.id.text, state: result.outcome.rawValue, reason: result.reason, source: result.source.rawValue,
        assurance: record.assurance?.rawValue, bitsOfChoice: record.roundedBits, basis: result.basis.rawValue,
        signals: SignalsResponse(result.signals), reference: record.reference,
        person: record.person?.text, signed: signer.map { SignedResultEncoder.signed(record, result, with: $0) })
    }
    let body = WebhookBody(
      type: delivery.event.rawValue, timestamp: JSONResponse.rfc3339(milliseconds: delivery.created.milliseconds),
      data: payload)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(body))
  }
}
