internal import MienCore

/// Detects mouth openings: above one level for a minimum time, then below another.
struct MouthOpenDetector: Hashable, Sendable {
  private(set) var openSince: MonotonicInstant?

  /// Processes the next `jawOpen` value. Returns the start of the opening that ends with it, if any.
  mutating func process(_ jaw: Float, at: MonotonicInstant, _ settings: MotionsSettings) -> MonotonicInstant? {
    if let since = openSince {
      guard jaw <= settings.mouthClosed else { return nil }
      openSince = nil
      return (settings.shortestOpening...settings.longestMotion).contains(at.since(since)) ? since : nil
    }
    if jaw >= settings.mouthOpen { openSince = at }
    return nil
  }
}

extension MouthOpenDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) { coder.pass(&openSince) }
}
