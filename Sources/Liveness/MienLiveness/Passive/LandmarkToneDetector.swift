internal import MienCore

/// Detects pixels that do not match the landmarks. While landmarks stay on one face, the pattern of light and dark under them stays the
/// same at any exposure. A replaced or overlaid face has a different pattern.
///
/// The tones of each frame are normalized to zero mean and unit length and compared, by Pearson's correlation, with the mean pattern of
/// earlier frames in the same 5° yaw bin (a turning head changes its shading). The correlation is smoothed over about four frames.
struct LandmarkToneDetector: Sendable {
  private static let binWidth: Float = 5
  private static let bins = 24
  private let settings: ToneSettings
  private var patterns = ContiguousArray<SIMD32<Float>>()
  /// Index of each bin's pattern in `patterns`, or -1 if there is none yet.
  private var places = ContiguousArray<Int8>(repeating: -1, count: LandmarkToneDetector.bins)
  private var counts = ContiguousArray<UInt8>()
  private var recent: Float = 1
  private var compared = 0
  private var seen = 0
  private var lowest: Float = 1

  init(_ settings: ToneSettings) { self.settings = settings }

  mutating func process(_ features: FaceFeatures, _ tones: LandmarkTones?) {
    guard let tones, abs(features.yaw) <= settings.largestAngle, abs(features.pitch) <= settings.largestAngle,
      let pattern = Self.pattern(tones.values)
    else { return }
    seen += 1
    let bin = Int((features.yaw / Self.binWidth).rounded(.down)) + Self.bins / 2
    guard places.indices.contains(bin) else { return }
    guard places[bin] >= 0 else {
      places[bin] = Int8(patterns.count)
      patterns.append(pattern)
      counts.append(1)
      return
    }
    let place = Int(places[bin])
    let mean = patterns[place]
    if counts[place] >= settings.minimumViews {
      let size = (mean * mean).sum().squareRoot()
      if size > 0 {
        compared += 1
        recent += ((mean * pattern).sum() / size - recent) / 4
        if compared >= 4 { lowest = min(lowest, recent) }
      }
    }
    counts[place] = min(counts[place], 7) + 1
    patterns[place] += (pattern - mean) / Float(counts[place])
  }

  /// Returns the tones with zero mean and unit length, or `nil` if the image has no contrast.
  private static func pattern(_ values: SIMD32<Float>) -> SIMD32<Float>? {
    let centered = values - values.sum() / 32
    let scale = (centered * centered).sum().squareRoot()
    // The comparisons are false for NaN.
    guard scale > 16, scale < 100_000 else { return nil }
    return centered / scale
  }

  /// Finding of the detector. Native measure: one minus the lowest correlation.
  var finding: Finding {
    let check = "landmark-pixels"
    guard compared >= settings.minimumFrames else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(seen)))
    }
    let threshold = 1 - settings.smallestCorrelation
    return ScoreCalibration(calm: threshold / 3, threshold: threshold, worst: 2 * threshold).finding(
      check, Double(1 - lowest), because: "pixels-changed", version: PassiveSettings.version, frames: seen)
  }
}

extension LandmarkToneDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&patterns)
    coder.pass(fixed: &places)
    coder.pass(&counts)
    coder.require(counts.count == patterns.count && places.allSatisfy { $0 >= -1 && $0 < patterns.count })
    coder.pass(&recent)
    coder.pass(&compared)
    coder.pass(&seen)
    coder.pass(&lowest)
  }
}

/// Settings for detecting that the pixels at the landmarks belong to another face. The initializer validates every value.
public struct ToneSettings: Hashable, Sendable {
  /// Correlation of the tones at 32 landmarks with those of earlier frames, at or below which the pixels have changed, 0…0.99.
  public let smallestCorrelation: Double
  /// Degrees of yaw and pitch beyond which landmarks lie on the edge of the face, 5…60.
  public let largestAngle: Float
  /// Number of frames at about the same yaw before others are compared with them, 1…8.
  public let minimumViews: UInt8
  /// Minimum number of comparisons for an assessment, 4…1000.
  public let minimumFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    smallestCorrelation: Double = 0.75, largestAngle: Float = 20, minimumViews: UInt8 = 4, minimumFrames: Int = 12
  ) {
    guard (0...0.99).contains(smallestCorrelation), (5...60).contains(largestAngle), (1...8).contains(minimumViews),
      (4...1000).contains(minimumFrames)
    else { return nil }
    self.smallestCorrelation = smallestCorrelation
    self.largestAngle = largestAngle
    self.minimumViews = minimumViews
    self.minimumFrames = minimumFrames
  }
}
