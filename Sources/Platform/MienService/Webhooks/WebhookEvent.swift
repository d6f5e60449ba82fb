/// What a webhook can be told.
public enum WebhookEvent: String, Hashable, Sendable, CaseIterable {
  case checkPassed = "check.passed"
  case checkFailed = "check.failed"
  case checkTimedOut = "check.timed-out"
  /// Sent when an integrator asks for it, to try the way.
  case ping = "webhook.ping"

  /// What an integrator can choose from; a ping comes to whoever asks for it.
  public static let subscribable: [WebhookEvent] = [.checkPassed, .checkFailed, .checkTimedOut]

  /// The event that a verdict is.
  public init(_ outcome: CheckResult.Outcome) {
    switch outcome {
    case .passed: self = .checkPassed
    case .failed: self = .checkFailed
    case .timedOut: self = .checkTimedOut
    }
  }
}
