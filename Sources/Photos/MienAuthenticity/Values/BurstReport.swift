/// What the checks over a burst say.
public struct BurstReport: Hashable, Sendable {
  public var frames: Int
  /// From the first frame to the last, in seconds; nil when nobody says when they were taken.
  public var seconds: Double?
  /// How far the content moved between the two frames that were compared, as a fraction of the picture's width; nil when
  /// too little of it was found again.
  public var movement: Double?
  /// What is left of the movement once one plane is taken out, as a fraction of it; nil when it could not be measured.
  public var residualParallax: Double?
  /// The relative depth of brightness beating in time; nil when it could not be measured.
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
