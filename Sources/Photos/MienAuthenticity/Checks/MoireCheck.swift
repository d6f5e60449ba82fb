internal import MienCore
internal import MienImaging
internal import RealModule

/// Detects the periodic patterns of a display's pixel grid and its beat with the camera's pixel grid.
///
/// Native value: the mean, over full-scale tiles, of how far the twelve highest peaks of the luma spectrum at 0.25
/// cycles per pixel and above rise over their surroundings, in natural-log units of power; or, if greater, the same for
/// the tiles' mean spectrum in all bands and channels, minus the usual value of bona fide images. Textiles, text and
/// foliage have such peaks too, so the undecided range is wide.
public struct MoireCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// Usual value of bona fide images in the mean spectra, subtracted before mean spectra count.
    public var usualInMeanSpectrum: Double

    public init(calibration: Calibration, usualInMeanSpectrum: Double) {
      self.calibration = calibration
      self.usualInMeanSpectrum = usualInMeanSpectrum
    }

    public static let shipped = Settings(
      calibration: Calibration(
        midpoint: 1.9, width: 0.35, suspectFrom: 2.65, genuineBelow: 1.4, version: "2026-11"), usualInMeanSpectrum: 0)
  }

  public var settings: Settings
  /// Identifies the screen type if the check suspects a screen.
  public var screenGrid = PixelGridClassifier()

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  /// Returns the native value.
  func native(_ measures: TileMeasures) -> Double {
    let values = measures.values
    let tiles = Double(values[Self.inTiles])
    let whole = Self.inWhole.map { Double(values[$0]) }.max()
    return whole.map { max(tiles, $0 - settings.usualInMeanSpectrum) } ?? tiles
  }

  private static let inTiles = TileMeasures.index(of: "y.rise2.mean")
  private static let inWhole = ["y.rise1.whole", "y.rise2.whole", "b.rise1.whole", "r.rise1.whole"]
    .map(TileMeasures.index)

  func read(_ measures: TileMeasures?, of people: PeopleInImage = PeopleInImage([])) -> CaptureAnalyzer.Part {
    guard let measures else { return .missing(.moire, because: .imageTooSmall) }
    guard !people.fillImage else {
      // Skin, hair and fabric have peaks of their own: on faces the check separated nothing. Other checks need the tiles.
      let unread = CaptureAnalyzer.Part.missing(.moire, because: .faceFillsImage)
      return CaptureAnalyzer.Part(readings: unread.readings, report: nil, tiles: measures)
    }
    let reading = SceneCheckResult(
      check: .moire, outcome: settings.calibration.outcome(native(measures)), version: Self.version)
    guard let assessment = reading.assessment else { return CaptureAnalyzer.Part(readings: [reading], report: nil) }
    let peaks = measures.peaks.prefix(16).map { peak in
      MoireReport.Peak(
        frequency: Double((peak.x * peak.x + peak.y * peak.y).squareRoot()),
        angle: Angle.degrees(x: Double(peak.x), y: Double(peak.y)), prominence: Double(peak.height))
    }
    let detected = assessment.verdict == .suspect
    let score = assessment.measure.score.value
    let report = MoireReport(
      detected: detected, confidence: detected ? 1 - score : score,
      screenType: detected ? screenGrid.type(measures) : nil,
      peaks: Array(peaks), algorithmVersion: Self.version)
    return CaptureAnalyzer.Part(readings: [reading], report: .moire(report), tiles: measures)
  }
}

/// Directions of waves.
enum Angle {
  /// Returns the direction of (x, y) as an undirected line, in degrees, 0..<180; x must not be negative.
  static func degrees(x: Double, y: Double) -> Double {
    let angle = Double.atan2(y: y, x: x) * 180 / .pi
    return angle < 0 ? angle + 180 : angle
  }
}

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
