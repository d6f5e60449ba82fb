internal import MienCore

/// Detects planar images by fitting an affine map between the landmarks of two views of a wide turn: the residual is depth.
///
/// Under a distant camera, views of a plane are affine maps of each other; views of a solid head are not, because the nose moves relative
/// to the cheeks. Only points that neither the mouth nor the eyelids move are used. One view is stored for every five degrees of yaw; the
/// fit runs when the finding is read.
struct PlanarTurnDetector: Sendable {
  /// Bridge and back of the nose, nostrils, temples, cheeks, forehead, corners of the eyes.
  private static let indices = [
    168, 6, 197, 195, 5, 4, 1, 19, 94, 2, 98, 327, 48, 278, 33, 133, 362, 263, 10, 151, 9, 8, 116, 345, 123, 352, 50,
    280, 234, 454, 127, 356,
  ]
  private static let binWidth: Float = 5
  private static let bins = 26
  private let settings: TurnPlaneSettings
  /// Points of all views in order of arrival, so that a small turn uses little memory.
  private var points: ContiguousArray<SIMD2<Float>> = []
  /// Offset of each bin's view in `points`.
  private var places = ContiguousArray<UInt16>(repeating: 0, count: PlanarTurnDetector.bins)
  /// Yaw and eye distance of each bin's view; an empty bin has eye distance 0.
  private var views = ContiguousArray<SIMD2<Float>>(repeating: SIMD2(0, 0), count: PlanarTurnDetector.bins)

  init(_ settings: TurnPlaneSettings) {
    self.settings = settings
  }

  mutating func process(_ features: FaceFeatures, _ observation: FaceObservation) {
    let bin = Int((features.yaw / Self.binWidth).rounded(.down)) + Self.bins / 2
    guard views.indices.contains(bin), views[bin].y == 0, let landmarks = observation.face?.landmarks.points else {
      return
    }
    let scale = SIMD2(Float(observation.frameWidth), Float(observation.frameHeight))
    let start = points.count
    for index in Self.indices {
      let point = SIMD2(landmarks[index].x, landmarks[index].y) * scale
      guard abs(point.x) < 100_000, abs(point.y) < 100_000 else {
        points.removeLast(points.count - start)
        return
      }
      points.append(point)
    }
    places[bin] = UInt16(start)
    views[bin] = SIMD2(features.yaw, features.eyeDistance)
  }

  /// Returns the root mean square residual of the affine map from one view to the other, in eye distances of the larger view.
  private func residual(_ first: Int, _ second: Int) -> Double? {
    let count = Self.indices.count
    func view(_ bin: Int) -> ArraySlice<SIMD2<Double>> {
      ArraySlice(points[Int(places[bin])..<Int(places[bin]) + count].map { SIMD2<Double>($0) })
    }
    let (from, to) = (view(first), view(second))
    let (fromMean, toMean) = (from.reduce(.zero, +) / Double(count), to.reduce(.zero, +) / Double(count))
    // Second moments: of the first view, between the views (one row per coordinate of the second), and of the second view.
    var (xx, xy, yy, total) = (0.0, 0.0, 0.0, 0.0)
    var (ux, vx) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    for (a, b) in zip(from, to) {
      let (p, q) = (a - fromMean, b - toMean)
      xx += p.x * p.x
      xy += p.x * p.y
      yy += p.y * p.y
      ux += q.x * p
      vx += q.y * p
      total += (q * q).sum()
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-6 * xx * yy else { return nil }
    /// uᵀ M⁻¹ u: variance of one coordinate explained by the map.
    func explained(_ u: SIMD2<Double>) -> Double {
      (u.x * u.x * yy - 2 * u.x * u.y * xy + u.y * u.y * xx) / determinant
    }
    let left = max(0, total - explained(ux) - explained(vx))
    return (left / Double(count)).squareRoot() / Double(max(views[first].y, views[second].y))
  }

  /// Finding of the detector. Native measure: the residual in eye distances between the two extreme views. Small values are suspect.
  var finding: Finding {
    let check = "planarity-turn"
    let seen = views.indices.filter { views[$0].y > 0 }
    guard let first = seen.first, let last = seen.last, views[last].x - views[first].x >= settings.smallestTurn,
      let residual = residual(first, last)
    else { return Finding(check: check, result: .notAssessed(.tooFewFrames(seen.count))) }
    let threshold = settings.smallestResidual
    return ScoreCalibration(calm: 2 * threshold, threshold: threshold, worst: 0).finding(
      check, residual, because: "turns-like-a-plane", version: PassiveSettings.version, frames: seen.count)
  }
}

extension PlanarTurnDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&points)
    coder.pass(fixed: &places)
    coder.pass(fixed: &views)
    coder.require(
      places.indices.allSatisfy { views[$0].y == 0 || Int(places[$0]) + Self.indices.count <= points.count })
  }
}

/// Settings for detecting that a wide turn is the turn of a plane. The initializer validates every value.
public struct TurnPlaneSettings: Hashable, Sendable {
  /// Minimum difference in degrees between the two extreme yaws for an assessment, 15…90.
  public let smallestTurn: Float
  /// Residual of the affine fit, in eye distances, at or below which the turn is that of a plane, 0.005…1.
  public let smallestResidual: Double

  /// Returns `nil` if a value is outside its documented range.
  public init?(smallestTurn: Float = 30, smallestResidual: Double = 0.1) {
    guard (15...90).contains(smallestTurn), (0.005...1).contains(smallestResidual) else { return nil }
    self.smallestTurn = smallestTurn
    self.smallestResidual = smallestResidual
  }
}
