import MienImaging
import MienModel

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
  func read(_ picture: SampledPicture) -> [CheckReading] {
    guard TileGrid(width: picture.width, height: picture.height) != nil else {
      return [.banding, .specular, .bezel, .doubleCompression].map {
        CheckReading(check: $0, outcome: .notAssessed(.pictureTooSmall), version: Self.version)
      }
    }
    let coarse = picture.coarse
    return [banding.read(coarse), specular.read(coarse), bezel.read(coarse), doubleCompression.read(picture)]
  }

  /// What the texture check wants to know of readings of these checks; nil when they are not there or were made with other
  /// settings than it was trained with.
  func frameSigns(_ readings: [CheckReading]) -> SceneMeasures.FrameSigns? {
    guard banding.settings.coherence == BandingCheck.Settings.shipped.coherence,
      bezel.settings.step == BezelCheck.Settings.shipped.step
    else { return nil }
    func native(_ check: CheckName) -> Double? { readings.first { $0.check == check }?.assessment?.measure.native }
    guard let banding = native(.banding), let bezel = native(.bezel) else { return nil }
    return SceneMeasures.FrameSigns(banding: banding, bezel: bezel)
  }

  /// What all readings say together; nil when none could look.
  static func report(_ readings: [CheckReading]) -> ArtifactReport? {
    func sign(_ check: CheckName) -> ArtifactReport.Sign {
      guard let found = readings.first(where: { $0.check == check })?.assessment else { return .notAssessed }
      let score = found.measure.score.value
      return ArtifactReport.Sign(
        detected: found.verdict == .suspect, confidence: found.verdict == .suspect ? 1 - score : score)
    }
    let checks: [CheckName] = [.banding, .specular, .halftone, .bezel]
    let assessed = readings.filter { checks.contains($0.check) }.compactMap(\.assessment)
    guard let lowest = assessed.map(\.measure.score).min() else { return nil }
    // One weak sign accuses nobody: banding or dots, or two of any.
    let suspects = readings.filter { checks.contains($0.check) && $0.assessment?.verdict == .suspect }.map(\.check)
    let likely = suspects.contains(.banding) || suspects.contains(.halftone) || suspects.count >= 2
    return ArtifactReport(
      isLikelyArtificial: likely, confidence: likely ? 1 - lowest.value : lowest.value, pwm: sign(.banding),
      specular: sign(.specular), halftone: sign(.halftone), bezel: sign(.bezel),
      doubleCompression: sign(.doubleCompression), algorithmVersion: version)
  }
}
