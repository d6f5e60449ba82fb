/// An event that is delivered to webhooks.
public enum WebhookEvent: String, Hashable, Sendable, CaseIterable {
  case checkPassed = "check.passed"
  case checkFailed = "check.failed"
  case checkTimedOut = "check.timed-out"
  /// Sent at an integrator's request to test the connection.
  case ping = "webhook.ping"

  /// Events to which an integrator can subscribe; a ping is only sent on request.
  public static let subscribable: [WebhookEvent] = [.checkPassed, .checkFailed, .checkTimedOut]
}
