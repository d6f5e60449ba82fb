internal import MienCore

/// Detects nods in the pitch: down by the configured depth, and up again by six tenths of it.
struct NodDetector: Hashable, Sendable {
  /// Level from which a nod is measured; it follows a head at rest.
  private var high: Float?
  /// Last instant at which the head was at that level.
  private var leftAt = MonotonicInstant.zero
  /// Lowest pitch of the current nod.
  private var low: Float?

  /// `true` while the head moves down or up, in which case the eyelids follow it.
  private(set) var isMoving = false
  /// Instant at which the current nod left the rest level.
  var movingSince: MonotonicInstant? { low == nil ? nil : leftAt }

  /// Processes the next pitch in degrees. Returns the start of the nod that ends with it, if any.
  mutating func process(_ pitch: Float, at: MonotonicInstant, _ settings: MotionsSettings) -> MonotonicInstant? {
    let depth = settings.nodDepth
    let longest = settings.longestMotion
    guard let high else {
      rest(pitch, at)
      return nil
    }
    if let low {
      let lowest = min(low, pitch)
      self.low = lowest
      if pitch - lowest >= 0.6 * depth {
        let began = leftAt
        rest(pitch, at)
        return at.since(began) <= longest ? began : nil
      }
      if at.since(leftAt) > longest { rest(pitch, at) }
      return nil
    }
    isMoving = high - pitch > 0.5 * depth
    if high - pitch >= depth {
      low = pitch
    } else if high - pitch <= 0.3 * depth {
      // At rest the level follows slowly downward and immediately upward.
      self.high = max(pitch, high + 0.1 * (pitch - high))
      leftAt = at
    } else if at.since(leftAt) > longest {
      rest(pitch, at)
    }
    return nil
  }

  private mutating func rest(_ pitch: Float, _ at: MonotonicInstant) {
    high = pitch
    leftAt = at
    low = nil
    isMoving = false
  }
}

extension NodDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&high)
    coder.pass(&leftAt)
    coder.pass(&low)
    coder.pass(&isMoving)
  }
}

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
