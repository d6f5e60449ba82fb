/// Kinds of requests for captures without an API key, each with its own rate limit.
public enum CaptureRateClass: Hashable, Sendable, CaseIterable {
  /// Sending a capture.
  case send
  /// Verifying a file.
  case verify
}
