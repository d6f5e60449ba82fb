import MienImaging

/// Detects the straight border of a screen or sheet: long lines that are brighter on one side.
///
/// Tests lines from one side of the downscaled image to the other, tilted by up to 15 %. A line's coverage is the share
/// of its samples at which luma changes by 12 levels or more, all in one direction. Native value: the second-best
/// coverage, in percent, among lines at least a tenth of the image apart; a single horizon or table edge is not a
/// frame.
public struct BezelCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// Minimum luma step across a line.
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

  /// - Parameter coarse: downscaled luma of the image.
  func read(_ coarse: Plane) -> SceneCheckResult {
    guard coarse.width >= 64, coarse.height >= 64 else {
      return SceneCheckResult(check: .bezel, outcome: .notAssessed(.imageTooSmall), version: Self.version)
    }
    return SceneCheckResult(check: .bezel, outcome: settings.calibration.outcome(native(coarse)), version: Self.version)
  }

  /// Returns the native value, or 0 if there are not two lines.
  func native(_ coarse: Plane) -> Double { Double(coverage(coarse).second) }

  /// Returns the best and second-best coverage, in percent, or 0 where there is no line.
  func coverage(_ coarse: Plane) -> (first: Float, second: Float) {
    let covers = ([0, 0] + lines(coarse, down: true) + lines(coarse, down: false)).sorted()
    return (Float(covers[covers.count - 1]), Float(covers[covers.count - 2]))
  }

  /// Returns the coverage, in percent, of the up to two best lines that run down (or across) the image, best first and
  /// at least a tenth of the image apart.
  private func lines(_ plane: Plane, down: Bool) -> [Double] {
    let (length, breadth) = down ? (plane.height, plane.width) : (plane.width, plane.height)
    let (along, aside) = down ? (plane.width, 1) : (1, plane.width)
    // Keeps the sums within `Int16`; no downscaled image has this many rows.
    let rows = min(length / 2, Int(Int16.max))
    let marks = marks(plane, rows: rows, breadth: breadth, along: along, aside: aside)
    let reach = breadth * 15 / 100
    var best = [Int](repeating: 0, count: breadth)
    var sums = ContiguousArray<Int16>(repeating: 0, count: breadth)
    for tilt in stride(from: -reach, through: reach, by: 4) {
      let (first, end) = (max(2, 2 - tilt), min(breadth - 2, breadth - 2 - tilt))
      guard first < end else { continue }
      Self.add(marks.span, rows: rows, breadth: breadth, tilt: tilt, first..<end, into: &sums)
      for start in stride(from: first, to: end, by: 2) {
        let middle = start + tilt / 2
        best[middle] = max(best[middle], abs(Int(sums[start])))
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

  /// Returns +1 or −1 where luma steps across the line's direction, for every second sample along it.
  private func marks(_ plane: Plane, rows: Int, breadth: Int, along: Int, aside: Int) -> ContiguousArray<Int16> {
    let samples = plane.samples.span
    let least = settings.step
    var marks = ContiguousArray<Int16>(repeating: 0, count: rows * breadth)
    var target = marks.mutableSpan
    for row in 0..<rows {
      var at = row * 2 * along + 2 * aside
      for place in 2..<breadth - 2 {
        let step = Int(samples[at + aside]) - Int(samples[at - aside])
        if abs(step) >= least { target[row * breadth + place] = step > 0 ? 1 : -1 }
        at += aside
      }
    }
    return marks
  }

  /// Computes the sums along all lines of one tilt, indexed by start position.
  private static func add(
    _ marks: Span<Int16>, rows: Int, breadth: Int, tilt: Int, _ starts: Range<Int>,
    into sums: inout ContiguousArray<Int16>
  ) {
    var target = sums.mutableSpan
    var part = target._mutatingExtracting(starts)
    let count = starts.count
    for index in 0..<count { part[index] = 0 }
    for row in 0..<rows {
      let first = row * breadth + starts.lowerBound + tilt * row / rows
      let line = marks.extracting(first..<first + count)
      for index in 0..<count { part[index] &+= line[index] }
    }
  }
}
