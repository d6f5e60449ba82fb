internal import MienCore

/// Finds mouth openings: open beyond one level for a moment, then closed below another.
struct MouthOpenDetector: Hashable, Sendable {
  private(set) var openSince: MonotonicInstant?

  /// Takes the next `jawOpen` and gives when the opening that it ends had begun.
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
