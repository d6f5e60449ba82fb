/// What the depth check says; lengths in metres.
public struct DepthReport: Hashable, Sendable {
  /// The verdict's word: `genuine`, `suspect`, `undecided`, or nil when depth could not be judged.
  public var verdict: SceneCheckResult.Verdict?
  /// The share of samples with a depth, 0…1.
  public var validShare: Double
  /// From the 5th to the 95th percentile of depth.
  public var range: Double
  /// The standard deviation of depth.
  public var deviation: Double
  /// The median distance from the best plane.
  public var planeResidual: Double
  /// The share of samples close to that plane, 0…1.
  public var planeShare: Double
  /// How many separate layers of depth there are.
  public var layers: Int
  /// The share of steps in depth that lie on edges of the picture, 0…1; nil without a picture or without steps.
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
