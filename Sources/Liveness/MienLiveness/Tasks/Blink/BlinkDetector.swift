internal import MienCore

/// Detects blinks in the coefficients of the two eyes, with hysteresis, relative to each eye's own open level.
struct BlinkDetector: Hashable, Sendable {
  /// A completed blink or longer closure.
  struct Blink: Hashable, Sendable {
    let began: MonotonicInstant
    let ended: MonotonicInstant
    /// `true` if the closure is longer than a blink.
    let isLong: Bool
  }

  /// Maximum duration of a closure. Beyond it the eyes are assumed to look down, and the current level becomes their open level.
  static let longestClosure = Interval.milliseconds(2500)

  private(set) var samples = 0
  private(set) var differing = 0
  /// Start of the current closure.
  private(set) var closedSince: MonotonicInstant?
  /// Open level of each eye; `nil` before the first sample.
  private var open: SIMD2<Float>?
  private var last = MonotonicInstant.zero
  private var highest: Float = 0
  private var lastEnd: MonotonicInstant?

  /// Reports whether too many samples show eyes that move independently of each other.
  func isNoPairOfEyes(_ settings: BlinkSettings) -> Bool {
    samples >= 10 && Float(differing) > settings.differenceShare * Float(samples)
  }

  /// Processes the next sample and returns the blink that ends with it, if any.
  mutating func process(_ eyes: SIMD2<Float>, at: MonotonicInstant, _ settings: BlinkSettings) -> Blink? {
    samples += 1
    guard var open else {
      open = eyes
      last = at
      return nil
    }
    let drift = settings.openLevelDrift * Float(min(at.since(last), .seconds(1)).inSeconds)
    last = at
    // The open level does not rise while the eyes are closed.
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

  /// Discards the current closure because something else moved the eyelids.
  mutating func remove(_ eyes: SIMD2<Float>, at: MonotonicInstant) {
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
