import MienModel

/// Watches whether the eyelids move at all: both eyes' closure that holds for two frames, its highest minus its lowest.
struct EyelidWatch: Sendable {
  private let settings: EyelidSettings
  private var seen = 0
  private var last: Float?
  private var first: Instant?
  private var latest: Instant?
  private var lowest: Float = .infinity
  private var highest: Float = -.infinity

  init(_ settings: EyelidSettings) { self.settings = settings }

  mutating func saw(_ glimpse: FaceGlimpse) {
    guard let closure = glimpse.closure, abs(glimpse.yaw) <= settings.largestAngle,
      abs(glimpse.pitch) <= settings.largestAngle
    else { return interrupt() }
    seen += 1
    if first == nil { first = glimpse.at }
    latest = glimpse.at
    if let last {
      // One frame alone may be a slip of the tracker.
      highest = max(highest, min(closure, last))
      lowest = min(lowest, max(closure, last))
    }
    last = closure
  }

  /// The next frame does not follow the last one.
  mutating func interrupt() { last = nil }

  /// Native measure: the span of the closure. Small is suspect.
  var finding: Finding {
    let check = "eyelid-motion"
    guard seen >= settings.minimumFrames, highest >= lowest, let first, let latest,
      latest.since(first) >= settings.shortestWatch
    else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(seen)))
    }
    let threshold = settings.smallestSpan
    return SuspicionScale(calm: min(1, 3 * threshold) + 0.01, threshold: threshold, worst: 0).finding(
      check, Double(highest - lowest), because: "eyelids-rigid", version: PassiveSettings.version, frames: seen)
  }
}
