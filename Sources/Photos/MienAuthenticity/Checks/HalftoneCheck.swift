/// Detects the halftone dots of a print: a rotated square grid in the tiles' mean spectra.
///
/// Native value: among pairs of luma peaks at equal frequency (within 6 %) and at right angles (within 6°), neither of
/// them along the sensor axes (6° or more away), the height of the lower peak above its surroundings, in standard
/// deviations; 0 if there is no such pair. Printing screens are rotated by 15°, 45° and 75°; a display's grid is
/// aligned with the sensor axes unless the camera was tilted, so this check alone does not identify an attack.
public struct HalftoneCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// Maximum relative difference between two frequencies, as a fraction.
    public var frequencyTolerance: Double
    /// Maximum angle error in degrees; also the minimum angle between a peak and the axes.
    public var angleTolerance: Double

    public init(calibration: Calibration, frequencyTolerance: Double, angleTolerance: Double) {
      self.calibration = calibration
      self.frequencyTolerance = frequencyTolerance
      self.angleTolerance = angleTolerance
    }

    public static let shipped = Settings(
      calibration: Calibration(midpoint: 2.2, width: 0.25, suspectFrom: 2.6, genuineBelow: 1.8, version: "2026-11"),
      frequencyTolerance: 0.06, angleTolerance: 6)
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  func read(_ measures: TileMeasures?, of people: PeopleInImage = PeopleInImage([])) -> SceneCheckResult {
    guard let measures, !people.fillImage else {
      let reason: SceneCheckUnavailableReason = measures == nil ? .imageTooSmall : .faceFillsImage
      return SceneCheckResult(check: .halftone, outcome: .notAssessed(reason), version: Self.version)
    }
    let peaks = measures.distinct.map { peak in
      (
        frequency: Double((peak.x * peak.x + peak.y * peak.y).squareRoot()),
        angle: Angle.degrees(x: Double(peak.x), y: Double(peak.y)), height: Double(peak.height)
      )
    }
    var native = 0.0
    for (index, first) in peaks.enumerated() where isTurned(first.angle) {
      for second in peaks[(index + 1)...] where isTurned(second.angle) {
        let turn = abs(first.angle - second.angle)
        guard abs(turn - 90) <= settings.angleTolerance,
          abs(first.frequency - second.frequency) <= settings.frequencyTolerance * first.frequency
        else { continue }
        native = max(native, min(first.height, second.height))
      }
    }
    return SceneCheckResult(
      check: .halftone, outcome: settings.calibration.outcome(native), version: Self.version)
  }

  private func isTurned(_ angle: Double) -> Bool {
    let off = angle.truncatingRemainder(dividingBy: 90)
    return min(off, 90 - off) >= settings.angleTolerance
  }
}
