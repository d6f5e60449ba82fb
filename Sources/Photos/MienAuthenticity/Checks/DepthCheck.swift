internal import MienImaging

/// Evaluates the shape of a scene in its depth map.
///
/// In a pinhole camera, the inverse depth of a plane is linear in the pixel position, regardless of focal length. A
/// plane is fitted to the central region of the map (six tenths of its sides) and refitted eight times to the samples
/// near it. Native value: the share of valid samples, in percent, within 1.5 % of their depth plus 4 mm of the plane. A
/// flat scene may be a screen or simply a flat background, so it results in ``SceneCheckUnavailableReason/sceneIsFlat``
/// and never in suspect.
public struct DepthCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// Share of samples on the plane, in percent, from which a scene counts as flat.
    public var flatFrom: Double
    /// Minimum share of samples with a valid depth, 0…1.
    public var leastValid: Double
    /// Maximum distance of a sample from the plane: a fraction of its depth, plus a number of meters.
    public var nearShare: Double
    public var nearMeters: Double

    public init(
      calibration: Calibration, flatFrom: Double, leastValid: Double, nearShare: Double, nearMeters: Double
    ) {
      self.calibration = calibration
      self.flatFrom = flatFrom
      self.leastValid = leastValid
      self.nearShare = nearShare
      self.nearMeters = nearMeters
    }

    public static let shipped = Settings(
      // Flatness is no evidence of an attack, so `suspectFrom` is out of reach.
      calibration: Calibration(
        midpoint: 85, width: 10, suspectFrom: 100.1, genuineBelow: 70, version: "2026-11"),
      flatFrom: 90, leastValid: 0.2, nearShare: 0.015, nearMeters: 0.004)
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  func read(_ depth: CaptureDepthMap?, _ image: SampledImage) -> CaptureAnalyzer.Part {
    guard let depth else { return .missing(.depth, because: .noDepth) }
    guard Self.fits(depth, image) else { return .missing(.depth, because: .depthDoesNotFit) }
    let points = Self.points(of: depth)
    guard points.total > 0, Double(points.valid.count) >= settings.leastValid * Double(points.total),
      points.valid.count >= 64
    else { return .missing(.depth, because: .tooLittleValidDepth) }
    let plane = fit(points.valid)
    var residuals: [Double] = []
    var near = 0
    for point in points.valid {
      // Distance along the ray.
      let expected = 1 / max(plane.inverse(point), 1e-6)
      let residual = abs(point.z - expected)
      residuals.append(residual)
      if residual <= settings.nearShare * point.z + settings.nearMeters { near += 1 }
    }
    residuals.sort()
    let depths = points.valid.map(\.z).sorted()
    let mean = depths.reduce(0, +) / Double(depths.count)
    let variance = depths.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(depths.count)
    let share = Double(near) / Double(points.valid.count)
    let outcome: SceneCheckResult.Outcome =
      share * 100 >= settings.flatFrom ? .notAssessed(.sceneIsFlat) : settings.calibration.outcome(share * 100)
    let reading = SceneCheckResult(check: .depth, outcome: outcome, version: Self.version)
    let report = DepthReport(
      verdict: reading.assessment?.verdict, validShare: Double(points.valid.count) / Double(points.total),
      range: depths[(depths.count - 1) * 95 / 100] - depths[(depths.count - 1) * 5 / 100],
      deviation: variance.squareRoot(), planeResidual: residuals[residuals.count / 2], planeShare: share,
      layers: Self.layers(depths), edgeAgreement: DepthEdges.agreement(depth, image.coarse),
      source: depth.isEmbedded ? .embedded : .sent, algorithmVersion: Self.version)
    return CaptureAnalyzer.Part(readings: [reading], report: .depth(report))
  }

  /// Returns `true` if depth map and image have the same orientation and, within 6 %, the same aspect ratio.
  private static func fits(_ depth: CaptureDepthMap, _ image: SampledImage) -> Bool {
    guard image.width > 0, image.height > 0 else { return false }
    let shape = Double(image.width) / Double(image.height)
    return abs(shape - Double(depth.width) / Double(depth.height)) <= 0.06 * shape
  }

  private struct Point {
    var x: Double
    var y: Double
    var z: Double
  }

  /// Returns the samples with a depth between 1 cm and 100 m among at most about 10,000 positions in the center of the
  /// map, and the number of positions.
  private static func points(of depth: CaptureDepthMap) -> (valid: [Point], total: Int) {
    let (left, top) = (depth.width / 5, depth.height / 5)
    let (columns, rows) = (max(1, depth.width * 3 / 5), max(1, depth.height * 3 / 5))
    let (across, down) = (max(1, columns / 100), max(1, rows / 100))
    var (valid, total) = ([Point](), 0)
    for y in stride(from: top, to: min(top + rows, depth.height), by: down) {
      for x in stride(from: left, to: min(left + columns, depth.width), by: across) {
        total += 1
        let z = depth.meters[y * depth.width + x]
        if z > 0.01, z < 100 {
          valid.append(
            Point(x: Double(x) / Double(depth.width) - 0.5, y: Double(y) / Double(depth.height) - 0.5, z: Double(z)))
        }
      }
    }
    return (valid, total)
  }

  private struct InversePlane {
    var (a, b, c): (Double, Double, Double) = (0, 0, 0)
    func inverse(_ point: Point) -> Double { a + b * point.x + c * point.y }
  }

  /// Fits inverse depth by least squares, weighted for relative error, using only samples near the plane of the
  /// previous iteration.
  private func fit(_ points: [Point]) -> InversePlane {
    var plane = InversePlane()
    let sorted = points.map(\.z).sorted()
    plane.a = 1 / sorted[sorted.count / 2]
    var reach = 0.3
    for _ in 0..<8 {
      var sums = NormalEquations()
      for point in points {
        let ratio = point.z * plane.inverse(point)
        if abs(ratio - 1) <= reach { sums.add(x: point.x, y: point.y, value: 1 / point.z, weight: point.z * point.z) }
      }
      guard let solved = sums.solved else { break }
      (plane.a, plane.b, plane.c) = solved
      reach = max(reach * 0.6, 2 * settings.nearShare)
    }
    return plane
  }

  /// Returns the number of separate depth layers: 3 % bins with at least 2 % of the samples, separated by sparser bins.
  private static func layers(_ sorted: [Double]) -> Int {
    let (least, count) = (Double(sorted.count) * 0.02, sorted.count)
    var (layers, inside, index) = (0, false, 0)
    var border = sorted[0]
    while index < count {
      border *= 1.03
      var number = 0
      while index < count, sorted[index] < border {
        number += 1
        index += 1
      }
      let isFull = Double(number) >= least
      if isFull, !inside { layers += 1 }
      inside = isFull
    }
    return layers
  }
}

/// Normal equations of a plane through weighted values.
private struct NormalEquations {
  private var (w, x, y, xx, xy, yy): (Double, Double, Double, Double, Double, Double) = (0, 0, 0, 0, 0, 0)
  private var (v, vx, vy) = (0.0, 0.0, 0.0)

  mutating func add(x px: Double, y py: Double, value: Double, weight: Double) {
    w += weight
    x += weight * px
    y += weight * py
    xx += weight * px * px
    xy += weight * px * py
    yy += weight * py * py
    v += weight * value
    vx += weight * px * value
    vy += weight * py * value
  }

  /// Offset and the two slopes; nil if the positions do not span a plane.
  var solved: (Double, Double, Double)? {
    let (c00, c01, c02) = (xx * yy - xy * xy, xy * y - x * yy, x * xy - xx * y)
    let determinant = w * c00 + x * c01 + y * c02
    guard abs(determinant) > 1e-12 * max(w * w * w, 1e-12) else { return nil }
    let (c11, c12, c22) = (w * yy - y * y, x * y - w * xy, w * xx - x * x)
    return (
      (c00 * v + c01 * vx + c02 * vy) / determinant, (c01 * v + c11 * vx + c12 * vy) / determinant,
      (c02 * v + c12 * vx + c22 * vy) / determinant
    )
  }
}

/// Measures how well depth discontinuities coincide with image edges.
enum DepthEdges {
  /// Returns the share of depth discontinuities (8 % or more) that have an image edge of 12 levels or more within one
  /// sample; nil with fewer than 32 discontinuities.
  ///
  /// - Parameter luma: downscaled luma of the whole image.
  static func agreement(_ depth: CaptureDepthMap, _ luma: Plane) -> Double? {
    let (width, height) = (min(depth.width, 160), min(depth.height, 160))
    guard width >= 8, height >= 8 else { return nil }
    func z(_ x: Int, _ y: Int) -> Float {
      depth.meters[y * depth.height / height * depth.width + x * depth.width / width]
    }
    func light(_ x: Int, _ y: Int) -> Int {
      Int(luma.samples[y * luma.height / height * luma.width + x * luma.width / width])
    }
    func isEdge(_ x: Int, _ y: Int) -> Bool {
      abs(light(x + 1, y) - light(x - 1, y)) >= 12 || abs(light(x, y + 1) - light(x, y - 1)) >= 12
    }
    func isStep(_ a: Float, _ b: Float) -> Bool { a > 0.01 && b > 0.01 && abs(a - b) > 0.08 * min(a, b) }
    var (steps, agreeing) = (0, 0)
    for y in 2..<height - 2 {
      for x in 2..<width - 2 where isStep(z(x, y), z(x + 1, y)) || isStep(z(x, y), z(x, y + 1)) {
        steps += 1
        if (-1...1).contains(where: { dy in (-1...1).contains { isEdge(x + $0, y + dy) } }) { agreeing += 1 }
      }
    }
    return steps >= 32 ? Double(agreeing) / Double(steps) : nil
  }
}

/// Result of the depth check; lengths in meters.
public struct DepthReport: Hashable, Sendable {
  /// `genuine`, `suspect` or `undecided`; nil if the depth was not assessed.
  public var verdict: SceneCheckResult.Verdict?
  /// Share of samples with a valid depth, 0…1.
  public var validShare: Double
  /// Range from the 5th to the 95th percentile of depth.
  public var range: Double
  /// Standard deviation of depth.
  public var deviation: Double
  /// Median distance from the best-fitting plane.
  public var planeResidual: Double
  /// Share of samples close to that plane, 0…1.
  public var planeShare: Double
  /// Number of separate depth layers.
  public var layers: Int
  /// Share of depth discontinuities at image edges, 0…1; nil if there are too few discontinuities.
  public var edgeAgreement: Double?
  /// Origin of the depth map; nil if unknown.
  public var source: Source?
  public var algorithmVersion: String

  /// Origin of a depth map.
  public enum Source: String, Codable, Hashable, Sendable {
    /// A file beside the image.
    case sent
    /// The image's own file. Many phones embed depths with an unknown factor.
    case embedded
  }

  public init(
    verdict: SceneCheckResult.Verdict?, validShare: Double, range: Double, deviation: Double, planeResidual: Double,
    planeShare: Double, layers: Int, edgeAgreement: Double?, source: Source? = nil, algorithmVersion: String
  ) {
    self.verdict = verdict
    self.validShare = validShare
    self.range = range
    self.deviation = deviation
    self.planeResidual = planeResidual
    self.planeShare = planeShare
    self.layers = layers
    self.edgeAgreement = edgeAgreement
    self.source = source
    self.algorithmVersion = algorithmVersion
  }
}

extension DepthReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case verdict, deviation, layers, source
    case validShare = "valid_share"
    case range = "depth_range"
    case planeResidual = "plane_residual"
    case planeShare = "plane_share"
    case edgeAgreement = "edge_agreement"
    case algorithmVersion = "algorithm_version"
  }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    verdict = try box.decodeIfPresent(SceneCheckResult.Verdict.self, forKey: .verdict)
    validShare = try box.fraction(forKey: .validShare)
    range = try box.finite(forKey: .range)
    deviation = try box.finite(forKey: .deviation)
    planeResidual = try box.finite(forKey: .planeResidual)
    planeShare = try box.fraction(forKey: .planeShare)
    layers = try box.decode(Int.self, forKey: .layers)
    edgeAgreement = try box.fractionIfPresent(forKey: .edgeAgreement)
    source = try box.shortTextIfPresent(forKey: .source).flatMap { Source(rawValue: $0) }
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
  }
}
