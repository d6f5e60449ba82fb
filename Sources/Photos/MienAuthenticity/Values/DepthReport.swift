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
  public var algorithmVersion: String

  public init(
    verdict: SceneCheckResult.Verdict?, validShare: Double, range: Double, deviation: Double, planeResidual: Double,
    planeShare: Double, layers: Int, edgeAgreement: Double?, algorithmVersion: String
  ) {
    self.verdict = verdict
    self.validShare = validShare
    self.range = range
    self.deviation = deviation
    self.planeResidual = planeResidual
    self.planeShare = planeShare
    self.layers = layers
    self.edgeAgreement = edgeAgreement
    self.algorithmVersion = algorithmVersion
  }
}

extension DepthReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case verdict, deviation, layers
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
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
  }
}
