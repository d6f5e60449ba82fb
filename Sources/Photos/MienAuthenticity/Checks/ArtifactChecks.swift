import MienImaging
import MienCore

/// The checks for artefacts together, and what they say as one.
public struct ArtifactChecks: Sendable {
  public static let version = "1"

  public var banding = BandingCheck()
  public var specular = SpecularCheck()
  public var halftone = HalftoneCheck()
  public var bezel = BezelCheck()
  public var doubleCompression = DoubleCompressionCheck()

  public init() {}

  /// All but halftone, whose measures the moire job brings.
  func read(_ image: SampledImage) -> [SceneCheckResult] {
    guard TileGrid(width: image.width, height: image.height) != nil else {
      return [.banding, .specular, .bezel, .doubleCompression].map {
        SceneCheckResult(check: $0, outcome: .notAssessed(.imageTooSmall), version: Self.version)
      }
    }
    let coarse = image.coarse
    return [banding.read(coarse), specular.read(coarse), bezel.read(coarse), doubleCompression.read(image)]
  }

  /// What the texture check wants to know of readings of these checks; nil when they are not there or were made with other
  /// settings than it was trained with.
  func frameSigns(_ readings: [SceneCheckResult]) -> SceneMeasures.FrameSigns? {
    guard banding.settings.coherence == BandingCheck.Settings.shipped.coherence,
      bezel.settings.step == BezelCheck.Settings.shipped.step
    else { return nil }
    func native(_ check: CheckName) -> Double? { readings.first { $0.check == check }?.assessment?.measure.native }
    guard let banding = native(.banding), let bezel = native(.bezel) else { return nil }
    return SceneMeasures.FrameSigns(banding: banding, bezel: bezel)
  }

  /// The checks whose signs count against a picture.
  private static let accusing: Set<CheckName> = [.banding, .specular, .halftone, .bezel]

  /// Whether readings with one of these verdicts make artefacts likely. One weak sign accuses nobody: banding or dots, or two
  /// of any.
  private static func accuses(_ readings: [SceneCheckResult], with verdicts: Set<SceneCheckResult.Verdict>) -> Bool {
    let signs = readings.filter { reading in
      accusing.contains(reading.check) && reading.assessment.map { verdicts.contains($0.verdict) } == true
    }.map(\.check)
    return signs.contains(.banding) || signs.contains(.halftone) || signs.count >= 2
  }

  /// True when artefacts are not likely, and would be if what is undecided were suspect.
  public static func isOpen(_ readings: [SceneCheckResult]) -> Bool {
    !accuses(readings, with: [.suspect]) && accuses(readings, with: [.suspect, .undecided])
  }

  /// What all readings say together; nil when none could look.
  static func report(_ readings: [SceneCheckResult]) -> ArtifactReport? {
    func sign(_ check: CheckName) -> ArtifactReport.Sign {
      guard let found = readings.first(where: { $0.check == check })?.assessment else { return .notAssessed }
      let score = found.measure.score.value
      return ArtifactReport.Sign(
        detected: found.verdict == .suspect, confidence: found.verdict == .suspect ? 1 - score : score)
    }
    let assessed = readings.filter { accusing.contains($0.check) }.compactMap(\.assessment)
    guard let lowest = assessed.map(\.measure.score).min() else { return nil }
    let likely = accuses(readings, with: [.suspect])
    return ArtifactReport(
      isLikelyArtificial: likely, confidence: likely ? 1 - lowest.value : lowest.value, pwm: sign(.banding),
      specular: sign(.specular), halftone: sign(.halftone), bezel: sign(.bezel),
      doubleCompression: sign(.doubleCompression), algorithmVersion: version)
  }
}
