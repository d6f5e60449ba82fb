public import MienCore
public import MienWebhooks

extension WebhookEvent {
  /// Returns the event of a verdict.
  public init(_ outcome: CheckResult.Outcome) {
    switch outcome {
    case .passed: self = .checkPassed
    case .failed: self = .checkFailed
    case .timedOut: self = .checkTimedOut
    }
  }
}

extension WebhookDelivery {
  /// Returns the delivery of a check's verdict to a webhook.
  public static func telling(_ webhook: WebhookID, of check: CheckID, _ result: CheckResult) -> WebhookDelivery {
    telling(webhook, of: check, WebhookEvent(result.outcome), decided: result.decided)
  }
}
