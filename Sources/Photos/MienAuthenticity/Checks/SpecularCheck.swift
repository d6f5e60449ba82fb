import MienImaging

/// Looks for reflections as a flat glossy surface makes them: a veil of light that fades smoothly into the picture.
///
/// Native measure: of the samples at the edge of blown-out patches (248 and above) in the picture made small, the share
/// whose light falls by less than 24 levels over the next three samples outwards, in percent, weighted by how much of the
/// picture is blown out (full weight from 0.5 % on). Lamps, windows and paper end sharply; a veil on glass does not. Fog
/// and bokeh do not either: on its own this is a weak sign.
public struct SpecularCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// From this tone on a sample is blown out.
    public var blownOut: UInt8
    /// How far a soft edge may fall over three samples.
    public var softFall: UInt8

    public init(calibration: Calibration, blownOut: UInt8, softFall: UInt8) {
      self.calibration = calibration
      self.blownOut = blownOut
      self.softFall = softFall
    }

    public static let shipped = Settings(
      calibration: Calibration(midpoint: 60, width: 12, suspectFrom: 80, genuineBelow: 40, version: "2026-11"),
      blownOut: 248, softFall: 24)
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  /// - Parameter coarse: the picture's luma made small.
  func read(_ coarse: Plane) -> SceneCheckResult {
    let (width, height) = (coarse.width, coarse.height)
    guard width >= 64, height >= 64 else {
      return SceneCheckResult(check: .specular, outcome: .notAssessed(.imageTooSmall), version: Self.version)
    }
    let samples = coarse.samples.span
    var (blown, edges, soft) = (0, 0, 0)
    for y in 4..<height - 4 {
      for x in 4..<width - 4 {
        let at = y * width + x
        guard samples[at] >= settings.blownOut else { continue }
        blown += 1
        for step in [1, -1, width, -width] where samples[at + step] < settings.blownOut {
          edges += 1
          if Int(samples[at + step]) - Int(samples[at + 4 * step]) < Int(settings.softFall) { soft += 1 }
        }
      }
    }
    guard blown >= 16, edges >= 16 else {
      return SceneCheckResult(check: .specular, outcome: .notAssessed(.nothingToMeasure), version: Self.version)
    }
    let weight = min(1, Double(blown) / (0.005 * Double(width * height)))
    return SceneCheckResult(
      check: .specular, outcome: settings.calibration.outcome(100 * weight * Double(soft) / Double(edges)),
      version: Self.version)
  }
}
