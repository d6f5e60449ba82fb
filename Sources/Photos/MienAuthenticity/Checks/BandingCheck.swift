import MienImaging

/// Looks for the bands that a rolling shutter makes of a light dimmed by pulses.
///
/// All pixels of a row are read at one time, so such bands are the same across the whole width and multiply the light.
/// The picture made small is cut into four strips; each gives a profile of mean logarithmic light along the rows, less a
/// running mean. At each frequency from 3 cycles a height to a sixth of the samples the strips' amplitudes are compared.
/// Native measure: the depth (relative amplitude, in percent) of the strongest wave that all four strips share in
/// phase: 100 · |Σ Xₛ| / 4 where |Σ Xₛ|² ≥ 0.9 · 4 Σ |Xₛ|²; in both directions of the sensor, as a picture may have been
/// turned before it was stored. LiShield (Communications of the ACM, 2020) has the equations of such bands.
public struct BandingCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration
    /// How alike the strips' waves must be, 0…1.
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

  /// - Parameter coarse: the picture's luma made small.
  func read(_ coarse: Plane) -> SceneCheckResult {
    func reading(_ outcome: SceneCheckResult.Outcome) -> SceneCheckResult {
      SceneCheckResult(check: .banding, outcome: outcome, version: Self.version)
    }
    guard coarse.width >= 64, coarse.height >= 64 else { return reading(.notAssessed(.imageTooSmall)) }
    return reading(settings.calibration.outcome(native(coarse)))
  }

  /// The native measure.
  func native(_ coarse: Plane) -> Double {
    max(depth(coarse, alongRows: true), depth(coarse, alongRows: false))
  }

  private func depth(_ plane: Plane, alongRows: Bool) -> Double {
    let length = alongRows ? plane.height : plane.width
    let strips = (0..<4).map { Self.profile(plane, strip: $0, alongRows: alongRows) }
    let roots = (0..<length).map { Turn.unit(Double($0) / Double(length)) }
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

  /// Mean logarithmic light along one strip, less its running mean.
  private static func profile(_ plane: Plane, strip: Int, alongRows: Bool) -> [Double] {
    let (length, breadth) = alongRows ? (plane.height, plane.width) : (plane.width, plane.height)
    let across = strip * breadth / 4..<(strip + 1) * breadth / 4
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
    let raw = sums.map { Logarithm.natural(Double($0) / Double(across.count) + 4) }
    let radius = length / 6
    var totals = [0.0]
    for value in raw { totals.append(totals[totals.count - 1] + value) }
    return raw.indices.map { index in
      let (from, to) = (max(0, index - radius), min(length, index + radius + 1))
      return raw[index] - (totals[to] - totals[from]) / Double(to - from)
    }
  }
}
