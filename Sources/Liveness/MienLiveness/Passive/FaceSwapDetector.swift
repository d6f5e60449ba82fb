internal import MienCore

/// Detects a replaced face by comparing the face's proportions in the last eight frames with those in the eight frames before. A new face
/// changes them abruptly, regardless of its position in the image. Gaps do not reset the comparison, because the face may be replaced
/// during one.
struct FaceSwapDetector: Sendable {
  private static let block = 8
  private let settings: ContinuitySettings
  private var ring = ContiguousArray<SIMD8<Float>>(repeating: .zero, count: 2 * FaceSwapDetector.block)
  private var recent = SIMD8<Float>.zero
  private var earlier = SIMD8<Float>.zero
  private var seen = 0
  private var largest: Float = 0

  init(_ settings: ContinuitySettings) { self.settings = settings }

  mutating func process(_ features: FaceFeatures) {
    guard abs(features.yaw) <= settings.largestAngle, abs(features.pitch) <= settings.largestPitch else { return }
    let slot = seen % ring.count
    let leaving = ring[slot]
    let moving = ring[(slot + Self.block) % ring.count]
    ring[slot] = features.proportions
    seen += 1
    recent += features.proportions - moving
    earlier += moving - leaving
    guard seen >= ring.count else { return }
    let shift = (recent - earlier) / Float(Self.block)
    largest = max(largest, ((shift * shift).sum() / 8).squareRoot())
  }

  /// Finding of the detector. Native measure: the largest shift.
  var finding: Finding {
    let check = "same-face"
    guard seen >= 2 * Self.block else { return Finding(check: check, result: .notAssessed(.tooFewFrames(seen))) }
    let threshold = settings.largestShift
    return ScoreCalibration(calm: threshold / 3, threshold: threshold, worst: 2 * threshold).finding(
      check, Double(largest), because: "face-changed", version: PassiveSettings.version, frames: seen)
  }
}

extension FaceSwapDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(fixed: &ring)
    coder.pass(&recent)
    coder.pass(&earlier)
    coder.pass(&seen)
    coder.pass(&largest)
    coder.require(seen >= 0)
  }
}

/// Settings for detecting that one face was replaced by another. The initializer validates every value.
public struct ContinuitySettings: Hashable, Sendable {
  /// Minimum shift of the face's proportions (root mean square of eight relative lengths) between two adjacent blocks of frames that
  /// indicates another face, 0.005…0.5.
  public let largestShift: Double
  /// Degrees of yaw and of pitch beyond which the tracker's depth coordinate is unreliable, 5…60. A deep nod changes the
  /// proportions more than a turn.
  public let largestAngle: Float
  public let largestPitch: Float

  /// Returns `nil` if a value is outside its documented range.
  public init?(largestShift: Double = 0.045, largestAngle: Float = 20, largestPitch: Float = 12) {
    guard (0.005...0.5).contains(largestShift), (5...60).contains(largestAngle), (5...60).contains(largestPitch)
    else { return nil }
    self.largestShift = largestShift
    self.largestAngle = largestAngle
    self.largestPitch = largestPitch
  }
}
