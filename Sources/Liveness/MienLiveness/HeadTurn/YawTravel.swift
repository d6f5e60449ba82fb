/// Right-way and wrong-way travel of a head along one of the two ways of a turn, in degrees.
///
/// Angles are toward the requested side. A retreat from the furthest point so far counts as wrong-way travel once it reaches the jitter
/// tolerance, and then in full (the turning-point filter of fatigue counting, ASTM E1049 5.4.4). Summing every small backward step
/// instead would penalize a slow turn for tracker noise, more at 60 frames per second than at 10.
struct YawTravel {
  private(set) var right: Float = 0
  private(set) var wrong: Float = 0
  private let jitter: Float

  /// Computes the travel of the way out, where outward is the right direction.
  init(out angles: ArraySlice<Float>, jitter: Float) {
    self.jitter = jitter
    guard let first = angles.first else { return }
    add(angles, from: first, sign: 1)
  }

  /// Computes the travel of the way back from `turned`, the P2 sample (`nil` before P2: no travel yet). The head may continue outward to
  /// its peak; after the peak, inward is the right direction.
  init(back angles: ArraySlice<Float>, from turned: Float?, jitter: Float) {
    self.jitter = jitter
    guard let turned else { return }
    var peak = turned
    var split = angles.startIndex
    for place in angles.indices where angles[place] >= peak {
      peak = angles[place]
      split = place + 1
    }
    add(angles[..<split], from: turned, sign: 1)
    add(angles[split...], from: peak, sign: -1)
  }

  /// Adds the travel of one segment in which `sign` times the angle is expected to grow.
  private mutating func add(_ angles: ArraySlice<Float>, from start: Float, sign: Float) {
    var furthest = start * sign
    var lowest = furthest
    var last = furthest
    var backwards: Float = 0
    for angle in angles {
      last = angle * sign
      lowest = min(lowest, last)
      let retreat = furthest - lowest
      // A retreat ends when the head has recovered by the tolerance, or has passed its furthest point.
      if last >= furthest || (retreat >= jitter && last - lowest >= jitter) {
        if retreat >= jitter { backwards += retreat }
        furthest = last
        lowest = last
      }
    }
    if furthest - lowest >= jitter { backwards += furthest - lowest }
    wrong += backwards
    right += max(0, last - start * sign + backwards)
  }

  /// Returns wrong-way travel as a fraction of the tolerance; above 1 the movement is rejected.
  func unsteadiness(_ settings: HeadTurnSettings) -> Float {
    let tolerated = max(settings.jitterTolerance, settings.hesitation * right)
    guard tolerated > 0 else { return wrong > 0 ? 2 : 0 }
    return wrong / tolerated
  }
}
