/// Result of the texture check in the format of the detection payload.
public struct TextureReport: Hashable, Sendable {
  public var classification: Classification
  /// Confidence in `classification`, 0…1.
  public var confidence: Double
  public var algorithmVersion: String

  public enum Classification: String, Codable, Hashable, Sendable {
    case realScene = "real_scene"
    case lcd = "lcd_screen"
    case oled = "oled_screen"
    /// Screen of unknown type.
    case screen
    case print = "printed_paper"
    case unknown
  }

  public init(classification: Classification, confidence: Double, algorithmVersion: String) {
    self.classification = classification
    self.confidence = confidence
    self.algorithmVersion = algorithmVersion
  }
}

extension TextureReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case classification, confidence
    case algorithmVersion = "algorithm_version"
  }

  /// Decodes an unknown class as `unknown`, because other programs define their own.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    classification = Classification(rawValue: try box.shortText(forKey: .classification)) ?? .unknown
    confidence = try box.fraction(forKey: .confidence)
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
  }
}
