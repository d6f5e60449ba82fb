public import MienCore

/// Detects implausible head movement: too little indicates a mounted photo, zigzag indicates noise or frames out of order.
struct HeadMotionDetector: Sendable {
  private static let averaged = 5
  private let settings: MovementSettings
  private var unit: Float?
  private var seen = 0
  private var ring: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  /// Welford's running mean and sum of squares of the moving average over the last five positions.
  private var count = 0.0
  private var mean = SIMD4<Double>(repeating: 0)
  private var squares = SIMD4<Double>(repeating: 0)
  private var last: MonotonicInstant?
  private var lastStep: SIMD2<Float>?
  private var reversedLast = false
  private var steps = 0
  private var reversals = 0

  init(_ settings: MovementSettings) {
    self.settings = settings
    let zero = SIMD4<Float>(repeating: 0)
    ring = (zero, zero, zero, zero, zero)
  }

  mutating func process(_ features: FaceFeatures) {
    let unit = self.unit ?? features.eyeDistance
    self.unit = unit
    let position = SIMD4(features.center.x, features.center.y, features.eyeDistance, 0) / unit
    if let last, features.at.since(last) <= settings.longestStep { step(position - ring.4) } else { interrupt() }
    last = features.at
    ring = (ring.1, ring.2, ring.3, ring.4, position)
    seen += 1
    guard seen >= Self.averaged else { return }
    let average = SIMD4<Double>((ring.0 + ring.1 + ring.2 + ring.3 + ring.4) / Float(Self.averaged))
    count += 1
    let before = average - mean
    mean += before / count
    squares += before * (average - mean)
  }

  private mutating func step(_ movement: SIMD4<Float>) {
    let step = SIMD2(movement.x, movement.y)
    if let last = lastStep {
      steps += 1
      let least = settings.jerkStep * settings.jerkStep
      let isReversal = (step * last).sum() < 0 && (step * step).sum() > least && (last * last).sum() > least
      // One reversal is the end of a nod; two consecutive ones are not a head's motion, given at least six frames per nod.
      if isReversal, reversedLast { reversals += 1 }
      reversedLast = isReversal
    }
    lastStep = step
  }

  /// Marks that the next frame does not follow the last one, because the face was not visible.
  mutating func interrupt() {
    last = nil
    lastStep = nil
    reversedLast = false
  }

  /// Finding on stillness. Native measure: the sway in eye distances. Small values are suspect.
  var stillness: Finding {
    let check = "movement-stillness"
    guard seen >= settings.minimumFrames else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(seen)))
    }
    let sway = (squares.sum() / count).squareRoot()
    return ScoreCalibration(calm: 4 * settings.smallestSway, threshold: settings.smallestSway, worst: 0).finding(
      check, sway, because: "too-still", version: PassiveSettings.version, frames: seen)
  }

  /// Finding on jerkiness. Native measure: the fraction of frames at which the direction reversed twice in a row.
  var jerkiness: Finding {
    let check = "movement-jerkiness"
    guard seen >= settings.minimumFrames, 2 * steps >= settings.minimumFrames else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(steps)))
    }
    let threshold = settings.largestJerkShare
    return ScoreCalibration(calm: 0, threshold: threshold, worst: min(1, 3 * threshold) + 0.01).finding(
      check, Double(reversals) / Double(steps), because: "zigzag", version: PassiveSettings.version, frames: seen)
  }
}

extension HeadMotionDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&unit)
    coder.pass(&seen)
    coder.pass(&ring.0)
    coder.pass(&ring.1)
    coder.pass(&ring.2)
    coder.pass(&ring.3)
    coder.pass(&ring.4)
    coder.pass(&count)
    coder.pass(&mean)
    coder.pass(&squares)
    coder.pass(&last)
    coder.pass(&lastStep)
    coder.pass(&reversedLast)
    coder.pass(&steps)
    coder.pass(&reversals)
  }
}

/// Expected head movement of a live subject. The initializer validates every value.
public struct MovementSettings: Hashable, Sendable {
  /// Sway (standard deviation of position and size, averaged over five frames) in eye distances at or below which a head is too still,
  /// 0.0001…0.1.
  public let smallestSway: Double
  /// Minimum step in eye distances for a change of direction to count, 0.001…0.2. Smaller steps are tracker noise.
  public let jerkStep: Float
  /// Fraction of frames at which the direction of such steps reversed by more than 90° twice in a row, from which the movement is not a
  /// human's, 0.02…1.
  public let largestJerkShare: Double
  /// Maximum interval of a step that is evaluated for zigzag, 20…500 ms. Beyond it there are too few frames per nod.
  public let longestStep: Interval
  /// Minimum number of frames with a face for an assessment, 10…1000.
  public let minimumFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    smallestSway: Double = 0.008, jerkStep: Float = 0.015, largestJerkShare: Double = 0.11,
    longestStep: Interval = .milliseconds(110), minimumFrames: Int = 30
  ) {
    guard (0.0001...0.1).contains(smallestSway), (0.001...0.2).contains(jerkStep),
      (0.02...1).contains(largestJerkShare),
      (Interval.milliseconds(20)...Interval.milliseconds(500)).contains(longestStep),
      (10...1000).contains(minimumFrames)
    else { return nil }
    self.smallestSway = smallestSway
    self.jerkStep = jerkStep
    self.largestJerkShare = largestJerkShare
    self.longestStep = longestStep
    self.minimumFrames = minimumFrames
  }
}
