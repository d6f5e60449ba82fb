internal import MienCore

/// Determines the rest pose of the head relative to the camera; every task measures angles from it.
///
/// The head must roughly face the camera and hold still for a short time; the mean over that time is the rest pose. A sample that
/// deviates from the running mean restarts the measurement.
struct NeutralPoseDetector: Hashable, Sendable {
  /// Duration for which the head must hold still, and the minimum number of samples.
  static let moment = Interval.milliseconds(350)
  static let leastSamples: Float = 3
  /// Maximum deviation of a sample from the running mean, in degrees.
  static let stillness: Float = 4
  /// Angles in degrees within which a head counts as facing the camera. Pitch has a larger limit because cameras are mounted above or
  /// below the eyes.
  static let frontal = SIMD3<Float>(15, 25, 15)

  private var sum = SIMD3<Float>(repeating: 0)
  private var count: Float = 0
  private var since = MonotonicInstant.zero

  /// Processes the next pose (yaw, pitch, and roll in degrees; NaN if not measured, which is ignored). Returns the rest pose once it is
  /// found.
  mutating func process(_ pose: SIMD3<Float>, at: MonotonicInstant) -> SIMD3<Float>? {
    // Comparisons with NaN are false, so unmeasured angles never deviate.
    let isTurnedAway = Self.deviates(pose, from: .zero, by: Self.frontal)
    if isTurnedAway || count == 0 || Self.deviates(pose, from: sum / count, by: SIMD3(repeating: Self.stillness)) {
      sum = isTurnedAway ? .zero : pose
      count = isTurnedAway ? 0 : 1
      since = at
      return nil
    }
    sum += pose
    count += 1
    guard count >= Self.leastSamples, at.since(since) >= Self.moment else { return nil }
    return sum / count
  }

  private static func deviates(_ pose: SIMD3<Float>, from mean: SIMD3<Float>, by limit: SIMD3<Float>) -> Bool {
    let deviation = pose - mean
    return abs(deviation.x) > limit.x || abs(deviation.y) > limit.y || abs(deviation.z) > limit.z
  }
}

extension NeutralPoseDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&sum)
    coder.pass(&count)
    coder.pass(&since)
  }
}
