internal import MienCore

/// Detects planar images by the width-to-height ratio of the face in the tracker's 3-D coordinates.
///
/// The ratio is constant for a turning head. A turning flat image becomes narrower while the tracker, which models only heads, sees a
/// head that hardly turns, and therefore reports changing proportions. The values are stored as a histogram.
struct PlanarStretchDetector: Sendable {
  private static let bins = 160
  private static let lowest: Float = 0.3
  private static let highest: Float = 1.9
  private let settings: StretchSettings
  private var counts = ContiguousArray<UInt32>(repeating: 0, count: PlanarStretchDetector.bins)
  private var seen = 0

  init(_ settings: StretchSettings) { self.settings = settings }

  mutating func process(_ features: FaceFeatures) {
    guard abs(features.yaw) <= settings.largestAngle, abs(features.pitch) <= settings.largestAngle else { return }
    let place = (features.stretch - Self.lowest) / (Self.highest - Self.lowest) * Float(Self.bins)
    counts[Int(min(max(place, 0), Float(Self.bins - 1)))] &+= 1
    seen += 1
  }

  /// Returns the value below which `share` of the frames lie, with linear interpolation within the bin.
  private func quantile(_ share: Double) -> Double {
    let wanted = share * Double(seen)
    var below = 0.0
    for (bin, count) in counts.enumerated() where count > 0 {
      if below + Double(count) >= wanted {
        let place = Double(bin) + (wanted - below) / Double(count)
        return Double(Self.lowest) + place / Double(Self.bins) * Double(Self.highest - Self.lowest)
      }
      below += Double(count)
    }
    return Double(Self.highest)
  }

  /// Finding of the detector. Native measure: the range from the 5th to the 95th percentile, divided by the median.
  var finding: Finding {
    let check = "planarity-stretch"
    guard seen >= settings.minimumFrames else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(seen)))
    }
    let span = (quantile(0.95) - quantile(0.05)) / quantile(0.5)
    let threshold = settings.largestSpan
    return ScoreCalibration(calm: threshold / 3, threshold: threshold, worst: 2 * threshold).finding(
      check, span, because: "stretches-like-a-sheet", version: PassiveSettings.version, frames: seen)
  }
}

extension PlanarStretchDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(fixed: &counts)
    coder.pass(&seen)
  }
}

/// Settings for detecting a face that stretches like an image on a tilted sheet. The initializer validates every value.
public struct StretchSettings: Hashable, Sendable {
  /// Relative range (5th to 95th percentile) of the face's width-to-height ratio from which it is a sheet, 0.02…1.
  public let largestSpan: Double
  /// Degrees of yaw and pitch beyond which the tracker's depth coordinate is unreliable, 5…60.
  public let largestAngle: Float
  /// Minimum number of usable frames for an assessment, 10…1000.
  public let minimumFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(largestSpan: Double = 0.19, largestAngle: Float = 30, minimumFrames: Int = 30) {
    guard (0.02...1).contains(largestSpan), (5...60).contains(largestAngle), (10...1000).contains(minimumFrames)
    else { return nil }
    self.largestSpan = largestSpan
    self.largestAngle = largestAngle
    self.minimumFrames = minimumFrames
  }
}
