/// Identifies the screen type of a pixel grid from the periodicity of luma and color differences.
///
/// The red, green and blue stripes of an LCD's pixels repeat along its rows only: there is a color peak at the pixel
/// frequency, and a luma peak of equal frequency at a right angle to it where color has none. An OLED screen with the
/// PenTile layout has half as many red and blue subpixels as green ones, on a lattice rotated by 45°: a pair of color
/// peaks at right angles, and a pair of luma peaks at √2 times the frequency, 45° away. (Layouts: Elliott, "Development
/// of the PenTile Matrix color AMLCD subpixel architecture", Journal of the SID 11/1, 2003.) In most images, the grid's
/// beat with the sensor's own grid hides these relations, and the type remains unknown.
public struct PixelGridClassifier: Sendable {
  public struct Settings: Codable, Hashable, Sendable {
    /// Minimum height of a peak above its surroundings, in standard deviations.
    public var leastHeight: Double
    /// Maximum relative difference between two frequencies, as a fraction.
    public var frequencyTolerance: Double
    /// Maximum angle error, in degrees.
    public var angleTolerance: Double

    public init(leastHeight: Double, frequencyTolerance: Double, angleTolerance: Double) {
      self.leastHeight = leastHeight
      self.frequencyTolerance = frequencyTolerance
      self.angleTolerance = angleTolerance
    }

    public static let shipped = Settings(leastHeight: 2.6, frequencyTolerance: 0.04, angleTolerance: 4)
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  private struct Wave {
    var frequency: Double
    var angle: Double
  }

  /// Returns the screen type that the peaks indicate; unknown unless they indicate exactly one.
  func type(_ measures: TileMeasures) -> MoireReport.ScreenType {
    let luma = waves(measures.distinct)
    let color = waves(measures.distinctColor)
    return switch (isStriped(luma, color), isPenTile(luma, color)) {
    case (true, false): .lcd
    case (false, true): .oled
    default: .unknown
    }
  }

  private func waves(_ peaks: [TileMeasures.FoundPeak]) -> [Wave] {
    peaks.filter { Double($0.height) >= settings.leastHeight }.map {
      Wave(
        frequency: Double(($0.x * $0.x + $0.y * $0.y).squareRoot()),
        angle: Angle.degrees(x: Double($0.x), y: Double($0.y)))
    }
  }

  /// Returns `true` if `wave` has `ratio` times the frequency of `other` and differs in direction by `turn` degrees,
  /// either way.
  private func fits(_ wave: Wave, _ other: Wave, turn: Double, ratio: Double = 1) -> Bool {
    let apart = abs(wave.angle - other.angle)
    let between = min(apart, 180 - apart)
    return abs(between - turn) <= settings.angleTolerance
      && abs(wave.frequency - ratio * other.frequency) <= settings.frequencyTolerance * wave.frequency
  }

  private func isStriped(_ luma: [Wave], _ color: [Wave]) -> Bool {
    color.contains { stripes in
      luma.contains { fits($0, stripes, turn: 0) } && luma.contains { fits($0, stripes, turn: 90) }
        && !color.contains { fits($0, stripes, turn: 90) }
    }
  }

  private func isPenTile(_ luma: [Wave], _ color: [Wave]) -> Bool {
    color.contains { first in
      guard color.contains(where: { fits($0, first, turn: 90) }),
        // Stripes have such pairs too, as the first harmonic of their rows and columns, but with the stripe frequency
        // inside.
        !color.contains(where: { fits($0, first, turn: 45, ratio: 0.5.squareRoot()) })
      else { return false }
      let outer = luma.filter { fits($0, first, turn: 45, ratio: 2.0.squareRoot()) }
      return outer.contains { one in outer.contains { fits($0, one, turn: 90) } }
    }
  }
}
