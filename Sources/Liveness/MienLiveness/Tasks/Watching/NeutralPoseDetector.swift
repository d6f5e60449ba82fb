internal import MienCore

/// Finds how this head stands before this camera when it is at rest: every task measures from there.
///
/// The head has to face the camera roughly and to hold still for a moment; the mean of that moment is the rest pose. A
/// sample that departs from the mean so far begins a new moment.
struct NeutralPoseDetector: Hashable, Sendable {
  /// How long the head holds still, and in how many samples at least.
  static let moment = Interval.milliseconds(350)
  static let leastSamples: Float = 3
  /// Degrees that a sample may depart from the mean so far.
  static let stillness: Float = 4
  /// Degrees within which a head counts as facing the camera. Cameras stand above and below the eyes, so pitch has more.
  static let frontal = SIMD3<Float>(15, 25, 15)

  private var sum = SIMD3<Float>(repeating: 0)
  private var count: Float = 0
  private var since = MonotonicInstant.zero

  /// Takes the next pose (yaw, pitch, roll in degrees; an unmeasured one is NaN and not looked at) and gives the rest
  /// pose once it is found.
  mutating func process(_ pose: SIMD3<Float>, at: MonotonicInstant) -> SIMD3<Float>? {
    // A pose that is not measured departs from nothing.
    let strays = Self.departs(pose, from: .zero, by: Self.frontal)
    if strays || count == 0 || Self.departs(pose, from: sum / count, by: SIMD3(repeating: Self.stillness)) {
      sum = strays ? .zero : pose
      count = strays ? 0 : 1
      since = at
      return nil
    }
    sum += pose
    count += 1
    guard count >= Self.leastSamples, at.since(since) >= Self.moment else { return nil }
    return sum / count
  }

  private static func departs(_ pose: SIMD3<Float>, from mean: SIMD3<Float>, by limit: SIMD3<Float>) -> Bool {
    let away = pose - mean
    return abs(away.x) > limit.x || abs(away.y) > limit.y || abs(away.z) > limit.z
  }
}

extension NeutralPoseDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&sum)
    coder.pass(&count)
    coder.pass(&since)
  }
}
