import MienImaging
internal import RealModule

/// Detects traces of an earlier JPEG compression underneath the last one.
///
/// The lowest DCT coefficients of the blocks are converted back to quantization steps of the file's own table. A single
/// compression leaves a smooth histogram of steps; an earlier one with other steps leaves gaps and comb patterns.
/// Native value: the mean absolute second difference of the logarithm of counts over steps 1…12 for the three lowest
/// coefficients, in natural-log units. Saving a file twice is not an attack: this describes the file, not the scene,
/// and has no weight in the aggregate.
public struct DoubleCompressionCheck: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var calibration: Calibration

    public init(calibration: Calibration) {
      self.calibration = calibration
    }

    public static let shipped = Settings(
      calibration: Calibration(midpoint: 1.0, width: 0.15, suspectFrom: 1.3, genuineBelow: 0.8, version: "2026-11"))
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  func read(_ image: SampledImage) -> SceneCheckResult {
    SceneCheckResult(check: .doubleCompression, outcome: outcome(image), version: Self.version)
  }

  private func outcome(_ image: SampledImage) -> SceneCheckResult.Outcome {
    guard let table = image.lumaSteps else { return .notAssessed(.notCompressed) }
    guard image.width / 8 * (image.height / 8) >= 256 else { return .notAssessed(.imageTooSmall) }
    let modes: [(u: Int, v: Int)] = [(1, 0), (0, 1), (1, 1)]
    var counts = [[Double]](repeating: Array(repeating: 1, count: 15), count: modes.count)
    let samples = image.blocks.span
    let flat: Float = 0.353_553_39
    var wave = SIMD8<Float>()
    for x in 0..<8 { wave[x] = Float(0.5 * Double.cos(Double(2 * x + 1) * .pi / 16)) }
    for corner in stride(from: 0, to: samples.count, by: 64) {
      // Sums down the block's columns, unweighted and weighted by the cosine.
      var (plain, waved) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for y in 0..<8 {
        let line = samples.extracting(corner + y * 8..<corner + y * 8 + 8)
        let row = SIMD8<Float>(
          SIMD8<UInt8>(line[0], line[1], line[2], line[3], line[4], line[5], line[6], line[7]))
        plain += row
        waved += row * wave[y]
      }
      let found = [(plain * wave).sum() * flat, waved.sum() * flat, (waved * wave).sum()]
      for (mode, (u, v)) in modes.enumerated() {
        let steps = (found[mode] / Float(max(table[v * 8 + u], 1))).rounded()
        if abs(steps) < 15 { counts[mode][Int(abs(steps))] += 1 }
      }
    }
    var (roughness, number) = (0.0, 0.0)
    for mode in counts {
      // Low counts produce random comb patterns.
      for step in 2...12 where mode[(step - 1)...(step + 1)].reduce(0, +) >= 60 {
        let secondDifference =
          Double.log(mode[step - 1]) - 2 * Double.log(mode[step]) + Double.log(mode[step + 1])
        roughness += abs(secondDifference)
        number += 1
      }
    }
    guard number >= 3 else { return .notAssessed(.nothingToMeasure) }
    return settings.calibration.outcome(roughness / number)
  }
}
