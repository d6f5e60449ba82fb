/// What the checks over a burst say.
public struct BurstReport: Hashable, Sendable {
  public var frames: Int
  /// How far the content moved from the first frame to the last, as a fraction of the picture's width.
  public var movement: Double
  /// What is left of the movement once one plane is taken out, as a fraction of it; nil when it could not be measured.
  public var residualParallax: Double?
  /// The relative depth of brightness beating in time; nil when it could not be measured.
  public var flickerDepth: Double?
  public var algorithmVersion: String

  public init(
    frames: Int, movement: Double, residualParallax: Double?, flickerDepth: Double?, algorithmVersion: String
  ) {
    self.frames = frames
    self.movement = movement
    self.residualParallax = residualParallax
    self.flickerDepth = flickerDepth
    self.algorithmVersion = algorithmVersion
  }
}

extension BurstReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case frames, movement
    case residualParallax = "residual_parallax"
    case flickerDepth = "flicker_depth"
    case algorithmVersion = "algorithm_version"
  }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    frames = try box.decode(Int.self, forKey: .frames)
    movement = try box.finite(forKey: .movement)
    residualParallax = try box.finiteIfPresent(forKey: .residualParallax)
    flickerDepth = try box.finiteIfPresent(forKey: .flickerDepth)
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
  }
}
