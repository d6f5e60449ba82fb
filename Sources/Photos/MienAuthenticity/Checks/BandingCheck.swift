import MienImaging
internal import RealModule

/// Detects rolling-shutter bands caused by a pulse-width-modulated light source.
///
/// A row's pixels are read out at the same time, so the bands are constant across the whole width and modulate the
/// light multiplicatively. The downscaled image is cut into four strips; each yields a profile of mean logarithmic luma
/// along the rows, minus a running mean. The strips' amplitudes are compared at each frequency from 3 cycles per height
/// to a sixth of the number of samples.
///
/// Native value: the depth (relative amplitude, in percent) of the strongest wave that is in phase in all four strips:
/// 100 · |Σ Xₛ| / 4 where |Σ Xₛ|² ≥ 0.9 · 4 Σ |Xₛ|². Both sensor directions are tested, because an image may have been
/// rotated before it was stored. If the image shows people, only the parts beside and above their heads are measured:
/// hair, forehead, eyes and clothes alternate three to five times per height across a face, like bands. LiShield
/// (Communications of the ACM, 2020) gives the equations of such bands.
public struct BandingCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// Minimum phase coherence of the strips' waves, 0…1.
    public var coherence: Double

    public init(calibration: Calibration, coherence: Double) {
      self.calibration = calibration
      self.coherence = coherence
    }

    public static let shipped = Settings(
      calibration: Calibration(midpoint: 10, width: 3, suspectFrom: 16, genuineBelow: 6, version: "2026-11"),
      coherence: 0.9)
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  /// - Parameter coarse: downscaled luma of the image.
  func read(_ coarse: Plane, beside people: PeopleInImage = PeopleInImage([])) -> SceneCheckResult {
    func reading(_ outcome: SceneCheckResult.Outcome) -> SceneCheckResult {
      SceneCheckResult(check: .banding, outcome: outcome, version: Self.version)
    }
    guard coarse.width >= 64, coarse.height >= 64 else { return reading(.notAssessed(.imageTooSmall)) }
    guard !people.isEmpty else { return reading(settings.calibration.outcome(native(coarse))) }
    return reading(native(coarse, beside: people).map(settings.calibration.outcome) ?? .notAssessed(.faceFillsImage))
  }

  /// Returns the native value.
  func native(_ coarse: Plane) -> Double {
    max(depth(coarse, alongRows: true), depth(coarse, alongRows: false))
  }

  /// Returns the native value of the parts beside people; nil if they are too small.
  func native(_ coarse: Plane, beside people: PeopleInImage) -> Double? {
    var depths: [Double] = []
    let columns = people.columnsBesideHeads(coarse.width)
    let rows = people.rowsAboveChins(coarse.height)
    if columns.count >= max(32, coarse.width / 4), rows >= 64 {
      depths.append(depth(coarse, length: rows, across: columns, alongRows: true))
    }
    let above = people.rowsAboveHeads(coarse.height)
    if above >= 64, coarse.width >= 64 {
      depths.append(depth(coarse, length: coarse.width, across: Array(0..<above), alongRows: false))
    }
    return depths.max()
  }

  private func depth(_ plane: Plane, alongRows: Bool) -> Double {
    let (length, breadth) = alongRows ? (plane.height, plane.width) : (plane.width, plane.height)
    return depth(plane, length: length, across: Array(0..<breadth), alongRows: alongRows)
  }

  /// - Parameter across: the columns (for waves along the rows; otherwise the rows) that are cut into four strips.
  private func depth(_ plane: Plane, length: Int, across: [Int], alongRows: Bool) -> Double {
    let strips = (0..<4).map { strip in
      let part = across[strip * across.count / 4..<(strip + 1) * across.count / 4]
      return Self.profile(plane, length: length, across: part, alongRows: alongRows)
    }
    let roots = RootsOfUnity.all(length)
    var best = 0.0
    for cycles in 3..<max(4, length / 6) {
      var (sum, squares) = (SIMD2<Double>.zero, 0.0)
      for strip in strips {
        var wave = SIMD2<Double>.zero
        var turn = 0
        for value in strip {
          wave += value * roots[turn]
          turn += cycles
          if turn >= length { turn -= length }
        }
        wave *= 2 / Double(length)
        sum += wave
        squares += (wave * wave).sum()
      }
      let shared = (sum * sum).sum()
      if shared >= settings.coherence * 4 * squares { best = max(best, 25 * shared.squareRoot()) }
    }
    return best
  }

  /// Returns the mean logarithmic luma along one strip, minus its running mean.
  private static func profile(_ plane: Plane, length: Int, across: ArraySlice<Int>, alongRows: Bool) -> [Double] {
    let samples = plane.samples.span
    var sums = [Int](repeating: 0, count: length)
    if alongRows {
      for place in 0..<length {
        for other in across { sums[place] += Int(samples[place * plane.width + other]) }
      }
    } else {
      for other in across {
        for place in 0..<length { sums[place] += Int(samples[other * plane.width + place]) }
      }
    }
    let raw = sums.map { Double.log(Double($0) / Double(across.count) + 4) }
    let radius = length / 6
    var totals = [0.0]
    for value in raw { totals.append(totals[totals.count - 1] + value) }
    return raw.indices.map { index in
      let (from, to) = (max(0, index - radius), min(length, index + radius + 1))
      return raw[index] - (totals[to] - totals[from]) / Double(to - from)
    }
  }
}
