/// Result of the moire check in the format of the detection payload.
public struct MoireReport: Hashable, Sendable {
  public var detected: Bool
  /// Confidence in `detected`, 0…1.
  public var confidence: Double
  /// Screen type, if the spectrum identifies it.
  public var screenType: ScreenType?
  /// Strongest peaks, strongest first; at most 16.
  public var peaks: [Peak]
  public var algorithmVersion: String

  public enum ScreenType: String, Codable, Hashable, Sendable {
    case lcd, oled, unknown
    case highRefresh = "high_refresh"
  }

  /// A peak of the spectrum.
  public struct Peak: Codable, Hashable, Sendable {
    /// Frequency in cycles per pixel of the full image, 0…0.71.
    public var frequency: Double
    /// Direction in degrees, 0 (waves along the rows) ..< 180.
    public var angle: Double
    /// Height above the local noise level, in standard deviations.
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
