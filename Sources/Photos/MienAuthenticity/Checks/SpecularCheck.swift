import MienImaging

/// Detects reflections typical of flat glossy surfaces: veiling glare that fades smoothly into the image.
///
/// Native value: of the samples at the edge of clipped regions (248 and above) in the downscaled image, the share, in
/// percent, whose luma falls by less than 24 levels over the next three samples outward, weighted by the clipped share
/// of the image (full weight from 0.5 %). Lamps, windows and paper have sharp edges; glare on glass does not. Fog and
/// bokeh have soft edges as well, so this check alone is weak evidence.
public struct SpecularCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// Minimum luma of a clipped sample.
    public var blownOut: UInt8
    /// Maximum luma fall over three samples at a soft edge.
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

  /// - Parameter coarse: downscaled luma of the image.
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
