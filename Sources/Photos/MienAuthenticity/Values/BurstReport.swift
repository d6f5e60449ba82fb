/// Results of the burst checks.
public struct BurstReport: Hashable, Sendable {
  public var frames: Int
  /// Time from the first frame to the last, in seconds; nil without timestamps.
  public var seconds: Double?
  /// Content motion between the two compared frames, as a fraction of the image width; nil if too few blocks were
  /// matched.
  public var movement: Double?
  /// Residual after subtracting the motion of one plane, as a fraction of the motion; nil if it could not be measured.
  public var residualParallax: Double?
  /// Relative depth of brightness flicker over time; nil if it could not be measured.
  public var flickerDepth: Double?
  public var algorithmVersion: String

  public init(
    frames: Int, seconds: Double?, movement: Double?, residualParallax: Double?, flickerDepth: Double?,
    algorithmVersion: String
  ) {
    self.frames = frames
    self.seconds = seconds
    self.movement = movement
    self.residualParallax = residualParallax
    self.flickerDepth = flickerDepth
    self.algorithmVersion = algorithmVersion
  }
}

extension BurstReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case frames, seconds, movement
    case residualParallax = "residual_parallax"
    case flickerDepth = "flicker_depth"
    case algorithmVersion = "algorithm_version"
  }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    frames = try box.decode(Int.self, forKey: .frames)
    seconds = try box.finiteIfPresent(forKey: .seconds)
    movement = try box.finiteIfPresent(forKey: .movement)
    residualParallax = try box.finiteIfPresent(forKey: .residualParallax)
    flickerDepth = try box.finiteIfPresent(forKey: .flickerDepth)
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
  }
}
