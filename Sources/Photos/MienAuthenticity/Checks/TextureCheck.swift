internal import MienCore

/// Trained classifier over tile and scene measurements that separates a scene from an image of a screen or print.
///
/// Native value: the sum of the log-odds of gradient-boosted trees over the downscaled image, its border, its flattest
/// blocks and the luma spectra of full-scale tiles, and a weighted sum of the ranks of the same measurements
/// (`Training/train.py`); greater is more like a recapture. With the features of a network, it is the mean of that and a
/// weighted sum of the features, which has the same spread (`Training/network.py`). Color and compression traces are not
/// used.
public struct TextureCheck: Sendable {
  public static let version = "5"
  /// Version of the check for images without features of the network.
  public static let versionWithoutNetwork = "4"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// For images without features of the network.
    public var withoutNetwork: Calibration

    public init(calibration: Calibration, withoutNetwork: Calibration) {
      self.calibration = calibration
      self.withoutNetwork = withoutNetwork
    }

    public static let shipped = Settings(
      calibration: Calibration(
        midpoint: TextureNetworkParameters.midpoint, width: TextureNetworkParameters.width,
        suspectFrom: TextureNetworkParameters.suspectFrom,
        genuineBelow: TextureNetworkParameters.genuineBelow, version: TextureNetworkParameters.version),
      withoutNetwork: Calibration(
        midpoint: TextureModelParameters.midpoint, width: TextureModelParameters.width,
        suspectFrom: TextureModelParameters.suspectFrom,
        genuineBelow: TextureModelParameters.genuineBelow, version: TextureModelParameters.version))
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  /// Names of the values that trees and ranks read.
  static let names = SceneMeasures.names + TextureModelParameters.peaks.map(\.measure)

  private static let peaks = TextureModelParameters.peaks.map {
    (index: TileMeasures.index(of: $0.measure), usual: $0.value)
  }

  /// - Parameter scene: complete measurements, including the frame values.
  func native(tiles: TileMeasures, scene: SceneMeasures, features: TextureFeatures?) -> Double {
    // Spectra of tiles of other sizes have other statistics.
    let isComparable = tiles.grid.size == 256
    let values = scene.values + Self.peaks.map { isComparable ? tiles.values[$0.index] : $0.usual }
    let measured = TextureForest.shipped.score(values) + TextureRanks.shipped.score(values)
    return features.map { (measured + TextureNetworkScore.shipped.score($0)) / 2 } ?? measured
  }

  func read(tiles: TileMeasures, scene: SceneMeasures, features: TextureFeatures?) -> CaptureAnalyzer.Part {
    let calibration = features == nil ? settings.withoutNetwork : settings.calibration
    let version = features == nil ? Self.versionWithoutNetwork : Self.version
    let reading = SceneCheckResult(
      check: .texture, outcome: calibration.outcome(native(tiles: tiles, scene: scene, features: features)),
      version: version)
    guard let assessment = reading.assessment else { return CaptureAnalyzer.Part(readings: [reading], report: nil) }
    let score = assessment.measure.score.value
    let (classification, confidence): (TextureReport.Classification, Double) =
      switch assessment.verdict {
      case .genuine: (.realScene, score)
      case .suspect: (.screen, 1 - score)
      case .undecided: (.unknown, 1 - 2 * abs(score - 0.5))
      }
    return CaptureAnalyzer.Part(
      readings: [reading],
      report: .texture(
        TextureReport(classification: classification, confidence: confidence, algorithmVersion: version)))
  }
}

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
