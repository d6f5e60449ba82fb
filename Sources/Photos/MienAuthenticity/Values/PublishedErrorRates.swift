/// Measured error rates of a check at its shipped threshold, for display next to its result.
public struct PublishedErrorRates: Codable, Hashable, Sendable {
  /// Name of the check, or `aggregated` for all checks weighed together.
  public var check: String
  /// Version of the algorithm that was measured.
  public var version: String
  /// Data set of the measurement, for example its name and how it was split.
  public var measuredOn: String
  /// Number of sources of the images: people with a camera.
  public var sources: Int
  /// `true` if each source was left out of the training when its images were measured.
  public var isHeldOut: Bool
  /// Bona fide images classified as suspect.
  public var bpcer: Rate
  /// Attack images not classified as suspect, by species.
  public var apcer: [String: Rate]
  /// Attack images of all species classified as genuine; `nil` if it was not counted.
  public var accepted: Rate?

  /// Error rate as a count, with its 95 % Clopper–Pearson interval.
  public struct Rate: Codable, Hashable, Sendable {
    public var errors: Int
    public var of: Int
    public var lower: Double
    public var upper: Double

    public init(errors: Int, of: Int, lower: Double, upper: Double) {
      self.errors = errors
      self.of = of
      self.lower = lower
      self.upper = upper
    }
  }

  public enum CodingKeys: String, CodingKey {
    case check, version, bpcer, apcer, accepted, sources
    case measuredOn = "measured_on"
    case isHeldOut = "held_out"
  }

  init(
    _ check: String, version: String, measuredOn: String, sources: Int, isHeldOut: Bool, bpcer: Rate,
    apcer: [String: Rate], accepted: Rate? = nil
  ) {
    self.check = check
    self.version = version
    self.measuredOn = measuredOn
    self.sources = sources
    self.isHeldOut = isHeldOut
    self.bpcer = bpcer
    self.apcer = apcer
    self.accepted = accepted
  }
}

extension PublishedErrorRates {
  /// Returns ``shipped`` with the rows of the versions that a server computes first; rows of the other versions, which
  /// older results refer to, come last.
  ///
  /// - Parameter network: whether the server has the network of the texture check.
  public static func shipped(withNetwork network: Bool) -> [PublishedErrorRates] {
    let others: Set<[String]> =
      network
      ? [["aggregated", Aggregation.versionWithoutNetwork], ["texture", TextureCheck.versionWithoutNetwork]]
      : [["aggregated", Aggregation.version], ["texture", TextureCheck.version]]
    let isOther = { (row: PublishedErrorRates) in others.contains([row.check, row.version]) }
    return shipped.filter { !isOther($0) } + shipped.filter(isOther)
  }

  /// Measured error rates of the shipped checks (Documentation/guides/Photos.md); undecided attacks count as missed.
  public static let shipped: [PublishedErrorRates] = [
    PublishedErrorRates(
      "aggregated", version: Aggregation.version,
      measuredOn: """
        recapture and recapture_sources, 26 sources, each left out of the training of the texture check in turn; the \
        thresholds of the checks and the level "suspicious" were chosen on these and a part of these pictures
        """,
      sources: 26, isHeldOut: true,
      bpcer: Rate(errors: 13, of: 437, lower: 0.0159, upper: 0.0503),
      apcer: [
        "all": Rate(errors: 192, of: 364, lower: 0.4748, upper: 0.5797),
        "print_photo": Rate(errors: 9, of: 9, lower: 0.6637, upper: 1.0000),
        "screen": Rate(errors: 61, of: 147, lower: 0.3344, upper: 0.4991),
        "screen_defocused": Rate(errors: 4, of: 5, lower: 0.2836, upper: 0.9949),
        "screen_face": Rate(errors: 43, of: 45, lower: 0.8485, upper: 0.9946),
        "screen_laptop": Rate(errors: 45, of: 121, lower: 0.2858, upper: 0.4644),
        "screen_ledwall": Rate(errors: 3, of: 3, lower: 0.2924, upper: 1.0000),
        "screen_phone": Rate(errors: 24, of: 30, lower: 0.6143, upper: 0.9229),
        "screen_tv": Rate(errors: 3, of: 4, lower: 0.1941, upper: 0.9937),
      ],
      accepted: Rate(errors: 25, of: 364, lower: 0.0449, upper: 0.0997)),
    PublishedErrorRates(
      CheckName.texture.rawValue, version: TextureCheck.version,
      measuredOn: """
        recapture and recapture_sources, 26 sources, each left out of training in turn; the threshold was chosen on \
        these scores
        """,
      sources: 26, isHeldOut: true,
      bpcer: Rate(errors: 12, of: 442, lower: 0.0141, upper: 0.0469),
      apcer: [
        "all": Rate(errors: 160, of: 364, lower: 0.3879, upper: 0.4922),
        "print_photo": Rate(errors: 9, of: 9, lower: 0.6637, upper: 1.0000),
        "screen": Rate(errors: 59, of: 147, lower: 0.3215, upper: 0.4853),
        "screen_defocused": Rate(errors: 2, of: 5, lower: 0.0527, upper: 0.8534),
        "screen_face": Rate(errors: 17, of: 45, lower: 0.2377, upper: 0.5346),
        "screen_laptop": Rate(errors: 44, of: 121, lower: 0.2781, upper: 0.4560),
        "screen_ledwall": Rate(errors: 3, of: 3, lower: 0.2924, upper: 1.0000),
        "screen_phone": Rate(errors: 23, of: 30, lower: 0.5772, upper: 0.9007),
        "screen_tv": Rate(errors: 3, of: 4, lower: 0.1941, upper: 0.9937),
      ],
      accepted: Rate(errors: 62, of: 364, lower: 0.1332, upper: 0.2130)),
    PublishedErrorRates(
      "aggregated", version: Aggregation.versionWithoutNetwork,
      measuredOn: """
        recapture and recapture_sources, 26 sources, each left out of the training of the texture check in turn; the \
        thresholds of the checks and the level "suspicious" were chosen on these and a part of these pictures
        """,
      sources: 26, isHeldOut: true,
      bpcer: Rate(errors: 13, of: 437, lower: 0.0159, upper: 0.0503),
      apcer: [
        "all": Rate(errors: 212, of: 364, lower: 0.5299, upper: 0.6336),
        "print_photo": Rate(errors: 9, of: 9, lower: 0.6637, upper: 1.0000),
        "screen": Rate(errors: 63, of: 147, lower: 0.3474, upper: 0.5127),
        "screen_defocused": Rate(errors: 5, of: 5, lower: 0.4782, upper: 1.0000),
        "screen_face": Rate(errors: 44, of: 45, lower: 0.8823, upper: 0.9994),
        "screen_laptop": Rate(errors: 61, of: 121, lower: 0.4118, upper: 0.5963),
        "screen_ledwall": Rate(errors: 3, of: 3, lower: 0.2924, upper: 1.0000),
        "screen_phone": Rate(errors: 24, of: 30, lower: 0.6143, upper: 0.9229),
        "screen_tv": Rate(errors: 3, of: 4, lower: 0.1941, upper: 0.9937),
      ],
      accepted: Rate(errors: 28, of: 364, lower: 0.0517, upper: 0.1093)),
    PublishedErrorRates(
      CheckName.texture.rawValue, version: TextureCheck.versionWithoutNetwork,
      measuredOn: """
        recapture and recapture_sources, 26 sources, each left out of training in turn; the threshold was chosen on \
        these scores
        """,
      sources: 26, isHeldOut: true,
      bpcer: Rate(errors: 12, of: 442, lower: 0.0141, upper: 0.0469),
      apcer: [
        "all": Rate(errors: 196, of: 364, lower: 0.4857, upper: 0.5906),
        "print_photo": Rate(errors: 9, of: 9, lower: 0.6637, upper: 1.0000),
        "screen": Rate(errors: 64, of: 147, lower: 0.3539, upper: 0.5195),
        "screen_defocused": Rate(errors: 5, of: 5, lower: 0.4782, upper: 1.0000),
        "screen_face": Rate(errors: 28, of: 45, lower: 0.4654, upper: 0.7623),
        "screen_laptop": Rate(errors: 61, of: 121, lower: 0.4118, upper: 0.5963),
        "screen_ledwall": Rate(errors: 2, of: 3, lower: 0.0943, upper: 0.9916),
        "screen_phone": Rate(errors: 24, of: 30, lower: 0.6143, upper: 0.9229),
        "screen_tv": Rate(errors: 3, of: 4, lower: 0.1941, upper: 0.9937),
      ],
      accepted: Rate(errors: 62, of: 364, lower: 0.1332, upper: 0.2130)),
    PublishedErrorRates(
      CheckName.moire.rawValue, version: MoireCheck.version,
      measuredOn: "recapture; the threshold was chosen on these pictures",
      sources: 9, isHeldOut: false,
      bpcer: Rate(errors: 2, of: 126, lower: 0.0019, upper: 0.0562),
      apcer: [
        "all": Rate(errors: 89, of: 100, lower: 0.8117, upper: 0.9438),
        "print_photo": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
        "screen": Rate(errors: 6, of: 8, lower: 0.3491, upper: 0.9681),
        "screen_defocused": Rate(errors: 5, of: 5, lower: 0.4782, upper: 1.0000),
        "screen_face": Rate(errors: 45, of: 45, lower: 0.9213, upper: 1.0000),
        "screen_laptop": Rate(errors: 28, of: 37, lower: 0.5880, upper: 0.8823),
        "screen_ledwall": Rate(errors: 3, of: 3, lower: 0.2924, upper: 1.0000),
        "screen_phone": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
      ]),
    PublishedErrorRates(
      CheckName.halftone.rawValue, version: HalftoneCheck.version,
      measuredOn: "recapture; the threshold was chosen on these pictures",
      sources: 9, isHeldOut: false,
      bpcer: Rate(errors: 0, of: 126, lower: 0.0000, upper: 0.0289),
      apcer: [
        "all": Rate(errors: 98, of: 100, lower: 0.9296, upper: 0.9976),
        "print_photo": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
        "screen": Rate(errors: 8, of: 8, lower: 0.6306, upper: 1.0000),
        "screen_defocused": Rate(errors: 5, of: 5, lower: 0.4782, upper: 1.0000),
        "screen_face": Rate(errors: 45, of: 45, lower: 0.9213, upper: 1.0000),
        "screen_laptop": Rate(errors: 35, of: 37, lower: 0.8181, upper: 0.9934),
        "screen_ledwall": Rate(errors: 3, of: 3, lower: 0.2924, upper: 1.0000),
        "screen_phone": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
      ]),
    PublishedErrorRates(
      CheckName.banding.rawValue, version: BandingCheck.version,
      measuredOn: "recapture; the threshold was chosen on these pictures",
      sources: 9, isHeldOut: false,
      bpcer: Rate(errors: 3, of: 126, lower: 0.0049, upper: 0.0680),
      apcer: [
        "all": Rate(errors: 90, of: 100, lower: 0.8238, upper: 0.9510),
        "print_photo": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
        "screen": Rate(errors: 8, of: 8, lower: 0.6306, upper: 1.0000),
        "screen_defocused": Rate(errors: 5, of: 5, lower: 0.4782, upper: 1.0000),
        "screen_face": Rate(errors: 42, of: 45, lower: 0.8173, upper: 0.9860),
        "screen_laptop": Rate(errors: 30, of: 37, lower: 0.6484, upper: 0.9204),
        "screen_ledwall": Rate(errors: 3, of: 3, lower: 0.2924, upper: 1.0000),
        "screen_phone": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
      ]),
    PublishedErrorRates(
      CheckName.specular.rawValue, version: SpecularCheck.version,
      measuredOn: "recapture; the threshold was chosen on these pictures",
      sources: 9, isHeldOut: false,
      bpcer: Rate(errors: 2, of: 42, lower: 0.0058, upper: 0.1616),
      apcer: [
        "all": Rate(errors: 22, of: 27, lower: 0.6192, upper: 0.9370),
        "screen": Rate(errors: 6, of: 7, lower: 0.4213, upper: 0.9964),
        "screen_defocused": Rate(errors: 5, of: 5, lower: 0.4782, upper: 1.0000),
        "screen_face": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
        "screen_laptop": Rate(errors: 8, of: 12, lower: 0.3489, upper: 0.9008),
        "screen_ledwall": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
        "screen_phone": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
      ]),
    PublishedErrorRates(
      CheckName.bezel.rawValue, version: BezelCheck.version,
      measuredOn: "recapture; the threshold was chosen on these pictures",
      sources: 9, isHeldOut: false,
      bpcer: Rate(errors: 3, of: 126, lower: 0.0049, upper: 0.0680),
      apcer: [
        "all": Rate(errors: 99, of: 100, lower: 0.9455, upper: 0.9997),
        "print_photo": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
        "screen": Rate(errors: 8, of: 8, lower: 0.6306, upper: 1.0000),
        "screen_defocused": Rate(errors: 5, of: 5, lower: 0.4782, upper: 1.0000),
        "screen_face": Rate(errors: 45, of: 45, lower: 0.9213, upper: 1.0000),
        "screen_laptop": Rate(errors: 36, of: 37, lower: 0.8584, upper: 0.9993),
        "screen_ledwall": Rate(errors: 3, of: 3, lower: 0.2924, upper: 1.0000),
        "screen_phone": Rate(errors: 1, of: 1, lower: 0.0250, upper: 1.0000),
      ]),
  ]
}
