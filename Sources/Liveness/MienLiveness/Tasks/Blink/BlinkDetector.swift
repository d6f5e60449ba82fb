internal import MienCore

/// Finds blinks in the two eyes' coefficients, with hysteresis, each eye from its own open level.
struct BlinkDetector: Hashable, Sendable {
  /// A blink, or a longer closure, that has ended.
  struct Blink: Hashable, Sendable {
    let began: MonotonicInstant
    let ended: MonotonicInstant
    /// Longer than a blink.
    let isLong: Bool
  }

  /// A closure longer than that is none: the eyes look down, and that is their level from then on.
  static let longestClosure = Interval.milliseconds(2500)

  private(set) var samples = 0
  private(set) var differing = 0
  /// When the closure that is under way began.
  private(set) var closedSince: MonotonicInstant?
  /// The mean of the open levels, for the state that is shown; nil before the first sample.
  private var open: SIMD2<Float>?
  private var last = MonotonicInstant.zero
  private var highest: Float = 0
  private var lastEnd: MonotonicInstant?

  /// True when too many samples were of eyes that do not go together.
  func isNoPairOfEyes(_ settings: BlinkSettings) -> Bool {
    samples >= 10 && Float(differing) > settings.differenceShare * Float(samples)
  }

  /// Takes the next sample and gives the blink that it ends.
  mutating func process(_ eyes: SIMD2<Float>, at: MonotonicInstant, _ settings: BlinkSettings) -> Blink? {
    samples += 1
    guard var open else {
      open = eyes
      last = at
      return nil
    }
    let drift = settings.openLevelDrift * Float(min(at.since(last), .seconds(1)).inSeconds)
    last = at
    // The level of the open eyes does not rise while they are closed.
    open = pointwiseMin(closedSince == nil ? open + drift : open, eyes)
    self.open = open
    let rise = eyes - open
    if abs(rise.x - rise.y) > settings.largestDifference { differing += 1 }
    let mean = (rise.x + rise.y) / 2
    if let since = closedSince {
      highest = max(highest, mean)
      if mean <= highest * settings.openingShare {
        end(at: at, eyes)
        return Blink(began: since, ended: at, isLong: at.since(since) > settings.longestClosure)
      }
      if at.since(since) > max(Self.longestClosure, settings.longestClosure) { end(at: at, eyes) }
    } else if mean >= settings.closingRise, min(rise.x, rise.y) >= settings.eachEyeRise, isRested(at, settings) {
      closedSince = at
      highest = mean
    }
    return nil
  }

  /// Forgets a closure that is under way: something else moved the lids.
  mutating func forget(_ eyes: SIMD2<Float>, at: MonotonicInstant) {
    if closedSince != nil { end(at: at, eyes) }
    open = eyes
    last = at
  }

  private mutating func end(at: MonotonicInstant, _ eyes: SIMD2<Float>) {
    closedSince = nil
    lastEnd = at
    open = eyes
  }

  private func isRested(_ at: MonotonicInstant, _ settings: BlinkSettings) -> Bool {
    guard let lastEnd else { return true }
    return at.since(lastEnd) >= settings.shortestPause
  }
}

extension BlinkDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&samples)
    coder.pass(&differing)
    coder.pass(&closedSince)
    coder.pass(&open)
    coder.pass(&last)
    coder.pass(&highest)
    coder.pass(&lastEnd)
  }
}
