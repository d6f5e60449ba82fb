/// Builds the bodies of webhook deliveries.
public protocol WebhookPayloadSource: Sendable {
  /// Returns the body of a delivery; `nil` if what it reports was deleted in the meantime.
  func body(of delivery: WebhookDelivery) async throws -> [UInt8]?
}
