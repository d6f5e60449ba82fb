/// Tells what kind of screen a grid of pixels belongs to, from where luma and the colour differences repeat.
///
/// The red, green and blue stripes of an LCD's pixels repeat along its rows only: there is a colour peak at the pixels'
/// frequency and a luma peak of equal frequency at a right angle to it, where colour has none. An OLED screen with the
/// PenTile layout has half as many red and blue dots as green ones, on a lattice turned by 45°: a pair of colour peaks at
/// right angles, and a pair of luma peaks √2 times as far out and 45° away. (Layouts: Elliott, "Development of the PenTile
/// Matrix color AMLCD subpixel architecture", Journal of the SID 11/1, 2003.) A grid whose beat with the sensor's own hides
/// these relations says nothing, which is the usual case.
public struct PixelGridClassifier: Sendable {
  public struct Settings: Codable, Hashable, Sendable {
    /// How far a peak has to stand above its surroundings, in their standard deviations.
    public var leastHeight: Double
    /// How much two frequencies may differ, as a fraction.
    public var frequencyTolerance: Double
    /// How far an angle may be off, in degrees.
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

  /// The kind of screen that the peaks speak for; unknown unless they speak for one alone.
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

  /// True when `wave` has `ratio` times the frequency of `other` and runs `turn` degrees away from it, either way.
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
        // Stripes have such pairs too, as the first overtone of their rows and columns, but then the stripes lie within.
        !color.contains(where: { fits($0, first, turn: 45, ratio: 0.5.squareRoot()) })
      else { return false }
      let outer = luma.filter { fits($0, first, turn: 45, ratio: 2.0.squareRoot()) }
      return outer.contains { one in outer.contains { fits($0, one, turn: 90) } }
    }
  }
}
