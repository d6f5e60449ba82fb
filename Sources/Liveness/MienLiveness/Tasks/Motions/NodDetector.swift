internal import MienCore

/// Finds nods in the pitch: down by the depth, and back by six tenths of it.
struct NodDetector: Hashable, Sendable {
  /// The level from which a nod is measured; it follows a head that rests.
  private var high: Float?
  /// When the head last was at that level.
  private var leftAt = MonotonicInstant.zero
  /// The lowest point of the nod that is under way.
  private var low: Float?

  /// The head is on its way, down or up: the lids follow it.
  private(set) var isMoving = false
  /// When the nod that is under way left the resting level.
  var movingSince: MonotonicInstant? { low == nil ? nil : leftAt }

  /// Takes the next pitch in degrees and gives when the nod that it ends had begun.
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
      // At rest: the level follows slowly down and at once up.
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
