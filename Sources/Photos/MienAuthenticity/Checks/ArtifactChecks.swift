import MienImaging
import MienCore

/// The artifact checks and their combined report.
public struct ArtifactChecks: Sendable {
  public static let version = "1"

  public var banding = BandingCheck()
  public var specular = SpecularCheck()
  public var halftone = HalftoneCheck()
  public var bezel = BezelCheck()
  public var doubleCompression = DoubleCompressionCheck()

  public init() {}

  /// Runs all artifact checks except halftone, which needs the measurements of the moire job.
  func read(_ image: SampledImage) -> [SceneCheckResult] {
    guard TileGrid(width: image.width, height: image.height) != nil else {
      return [.banding, .specular, .bezel, .doubleCompression].map {
        SceneCheckResult(check: $0, outcome: .notAssessed(.imageTooSmall), version: Self.version)
      }
    }
    let coarse = image.coarse
    return [banding.read(coarse), specular.read(coarse), bezel.read(coarse), doubleCompression.read(image)]
  }

  /// Returns the inputs of the texture check from these results; nil if they are missing or were computed with settings
  /// other than those used in training.
  func frameSigns(_ readings: [SceneCheckResult]) -> SceneMeasures.FrameSigns? {
    guard banding.settings.coherence == BandingCheck.Settings.shipped.coherence,
      bezel.settings.step == BezelCheck.Settings.shipped.step
    else { return nil }
    func native(_ check: CheckName) -> Double? { readings.first { $0.check == check }?.assessment?.measure.native }
    guard let banding = native(.banding), let bezel = native(.bezel) else { return nil }
    return SceneMeasures.FrameSigns(banding: banding, bezel: bezel)
  }

  /// Checks that count as evidence of a recapture.
  private static let accusing: Set<CheckName> = [.banding, .specular, .halftone, .bezel]

  /// Returns `true` if results with one of these verdicts make artifacts likely: banding or halftone, or any two. A
  /// single weak sign is not enough.
  private static func accuses(_ readings: [SceneCheckResult], with verdicts: Set<SceneCheckResult.Verdict>) -> Bool {
    let signs = readings.filter { reading in
      accusing.contains(reading.check) && reading.assessment.map { verdicts.contains($0.verdict) } == true
    }.map(\.check)
    return signs.contains(.banding) || signs.contains(.halftone) || signs.count >= 2
  }

  /// Returns `true` if artifacts are not likely now but would be if the undecided results were suspect.
  public static func isOpen(_ readings: [SceneCheckResult]) -> Bool {
    !accuses(readings, with: [.suspect]) && accuses(readings, with: [.suspect, .undecided])
  }

  /// Returns the combined report, or nil if no artifact check was assessed.
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
