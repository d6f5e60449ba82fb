internal import MienModel

/// Finds mouth openings: open beyond one level for a moment, then closed below another.
struct MouthFinder: Hashable, Sendable {
  private(set) var openSince: Instant?
  private var lastOpen = Instant.zero

  /// Takes the next `jawOpen` and gives when the opening that it ends had begun.
  mutating func saw(_ jaw: Float, at: Instant, _ settings: MotionsSettings) -> Instant? {
    if let since = openSince {
      if jaw >= settings.mouthOpen { lastOpen = at }
      guard jaw <= settings.mouthClosed else { return nil }
      openSince = nil
      let isLong = lastOpen.since(since) >= settings.shortestOpening
      return isLong && at.since(since) <= settings.longestMotion ? since : nil
    }
    if jaw >= settings.mouthOpen {
      openSince = at
      lastOpen = at
    }
    return nil
  }
}
