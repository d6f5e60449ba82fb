import MienImaging

/// Looks for the straight border of a screen or sheet: long lines along which it is brighter on one side.
///
/// Lines from one side of the picture made small to the other, tilted by up to 15 %, are tried; a line's cover is the
/// share of its samples at which the light steps by 12 levels or more, all in one direction. Native measure: the second
/// best cover among lines that are a tenth of the picture apart, in percent: one horizon or table edge is not a frame.
public struct BezelCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// The least step in light across a line.
    public var step: Int

    public init(calibration: Calibration, step: Int) {
      self.calibration = calibration
      self.step = step
    }

    public static let shipped = Settings(
      calibration: Calibration(midpoint: 70, width: 12, suspectFrom: 92, genuineBelow: 40, version: "2026-11"), step: 12
    )
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  /// - Parameter coarse: the picture's luma made small.
  func read(_ coarse: Plane) -> CheckReading {
    guard coarse.width >= 64, coarse.height >= 64 else {
      return CheckReading(check: .bezel, outcome: .notAssessed(.pictureTooSmall), version: Self.version)
    }
    return CheckReading(check: .bezel, outcome: settings.calibration.outcome(native(coarse)), version: Self.version)
  }

  /// The native measure; 0 when there are no two lines.
  func native(_ coarse: Plane) -> Double {
    let covers = (lines(coarse, down: true) + lines(coarse, down: false)).sorted()
    return covers.count >= 2 ? covers[covers.count - 2] : 0
  }

  /// The covers of the best lines that run down (or across) the picture, best ones first, a tenth apart; in percent.
  private func lines(_ plane: Plane, down: Bool) -> [Double] {
    let (length, breadth) = down ? (plane.height, plane.width) : (plane.width, plane.height)
    let (along, aside) = down ? (plane.width, 1) : (1, plane.width)
    let samples = plane.samples.span
    // +1 or −1 where the light steps across the line's direction, every second sample along it.
    let rows = length / 2
    var steps = ContiguousArray<Int8>(repeating: 0, count: rows * breadth)
    for row in 0..<rows {
      for place in 2..<breadth - 2 {
        let at = row * 2 * along + place * aside
        let step = Int(samples[at + aside]) - Int(samples[at - aside])
        if abs(step) >= settings.step { steps[row * breadth + place] = step > 0 ? 1 : -1 }
      }
    }
    let marks = steps.span
    let reach = breadth * 15 / 100
    var best = [Int](repeating: 0, count: breadth)
    for tilt in stride(from: -reach, through: reach, by: 4) {
      for start in stride(from: max(2, 2 - tilt), to: min(breadth - 2, breadth - 2 - tilt), by: 2) {
        var sum = 0
        for row in 0..<rows { sum += Int(marks[row * breadth + start + tilt * row / rows]) }
        let middle = start + tilt / 2
        best[middle] = max(best[middle], abs(sum))
      }
    }
    var found: [Double] = []
    for _ in 0..<2 {
      guard let at = best.indices.max(by: { best[$0] < best[$1] }), best[at] > 0 else { break }
      found.append(100 * Double(best[at]) / Double(rows))
      for near in max(0, at - breadth / 10)..<min(breadth, at + breadth / 10 + 1) { best[near] = 0 }
    }
    return found
  }
}
