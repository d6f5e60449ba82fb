internal import MienModel

/// Finds mouth openings: open beyond one level for a moment, then closed below another.
struct MouthFinder: Hashable, Sendable {
  private(set) var openSince: Instant?

  /// Takes the next `jawOpen` and gives when the opening that it ends had begun.
  mutating func saw(_ jaw: Float, at: Instant, _ settings: MotionsSettings) -> Instant? {
    if let since = openSince {
      guard jaw <= settings.mouthClosed else { return nil }
      openSince = nil
      return (settings.shortestOpening...settings.longestMotion).contains(at.since(since)) ? since : nil
    }
    if jaw >= settings.mouthOpen { openSince = at }
    return nil
  }
}

extension MouthFinder: Taped {
  mutating func pass(over tape: inout StateTape) { tape.pass(&openSince) }
}
