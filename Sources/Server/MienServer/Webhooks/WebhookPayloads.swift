internal import Foundation
internal import MienCore
public import MienService
internal import MienAPI

/// Builds the bodies posted to webhooks.
public enum WebhookPayloads {
  /// - Parameter signer: signer of the results; `nil` leaves them unsigned.
  public static func payloadBuilder(signer: ResultSigner?) -> WebhookDispatcher.WebhookPayloadBuilder {
    { message, check in
      let data = check.map { record, result in
        WebhookBody.Payload(
          id: record.id.text, state: result.outcome.rawValue, reason: result.reason, source: result.source.rawValue,
          assurance: result.assurance.rawValue, reference: record.reference,
          person: record.person?.text, signed: signer.map { SignedResultEncoder.signed(record, result, with: $0) })
      }
      let body = WebhookBody(
        type: message.event.rawValue, timestamp: JSONResponse.rfc3339(milliseconds: message.created.milliseconds),
        data: data ?? WebhookBody.Payload(id: message.webhook.text))
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      guard let bytes = try? encoder.encode(body) else { preconditionFailure("every message is plain texts") }
      return Array(bytes)
    }
  }
}
