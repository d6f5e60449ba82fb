/// What the moire check says in the words of the detection payload.
public struct MoireReport: Hashable, Sendable {
  public var detected: Bool
  /// How sure the check is of `detected`, 0…1.
  public var confidence: Double
  /// The kind of screen, only where the spectrum tells.
  public var screenType: ScreenType?
  /// The strongest peaks, strongest first; at most 16.
  public var peaks: [Peak]
  public var algorithmVersion: String

  public enum ScreenType: String, Codable, Hashable, Sendable {
    case lcd, oled, unknown
    case highRefresh = "high_refresh"
  }

  /// A peak of the spectrum.
  public struct Peak: Codable, Hashable, Sendable {
    /// In cycles per pixel of the full picture, 0…0.71.
    public var frequency: Double
    /// In degrees, 0 (waves along the rows) ..< 180.
    public var angle: Double
    /// How far above the local noise floor, in its standard deviations.
    public var prominence: Double

    public init(frequency: Double, angle: Double, prominence: Double) {
      self.frequency = frequency
      self.angle = angle
      self.prominence = prominence
    }
  }

  public init(
    detected: Bool, confidence: Double, screenType: ScreenType?, peaks: [Peak], algorithmVersion: String
  ) {
    self.detected = detected
    self.confidence = confidence
    self.screenType = screenType
    self.peaks = peaks
    self.algorithmVersion = algorithmVersion
  }
}

extension MoireReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case detected, confidence, peaks
    case screenType = "screen_type"
    case algorithmVersion = "algorithm_version"
  }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    detected = try box.decode(Bool.self, forKey: .detected)
    confidence = try box.fraction(forKey: .confidence)
    screenType = try box.decodeIfPresent(ScreenType.self, forKey: .screenType)
    peaks = try box.shortList(of: Peak.self, forKey: .peaks)
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
  }
}
