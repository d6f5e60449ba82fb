import MienImaging
internal import RealModule

/// Statistics of the finest structure of a square tile: noise, flatness, edges and correlation of adjacent samples.
struct GrainStatistics {
  static let names: [String] =
    [
      "grain", "grain.peaked", "grain.across", "grain.down", "flat", "step.peaked", "step.lean", "noise10", "noise50",
      "noise90", "noise.spread", "noise.light",
    ]

  private var grain: [Float] = []

  /// Measures the tile at (`x`, `y`), `size` pixels wide and high, of a plane; `size` is at least 32.
  mutating func measure(_ plane: Plane, x: Int, y: Int, size: Int) -> [Float] {
    let (width, inner) = (plane.width, size - 2)
    let samples = plane.samples.span
    grain.removeAll(keepingCapacity: true)
    grain.reserveCapacity(inner * inner)
    var (flat, across, down): (Int, Float, Float) = (0, 0, 0)
    var (square, fourth): (Float, Float) = (0, 0)
    for row in 1...inner {
      let above = samples.extracting((y + row - 1) * width + x..<(y + row - 1) * width + x + size)
      let line = samples.extracting((y + row) * width + x..<(y + row) * width + x + size)
      let below = samples.extracting((y + row + 1) * width + x..<(y + row + 1) * width + x + size)
      var (rowFlat, rowAcross, rowDown): (Int32, Int32, Int32) = (0, 0, 0)
      for column in 1...inner {
        let (nw, n, ne) = (Int32(above[column - 1]), Int32(above[column]), Int32(above[column + 1]))
        let (w, c, e) = (Int32(line[column - 1]), Int32(line[column]), Int32(line[column + 1]))
        let (sw, s, se) = (Int32(below[column - 1]), Int32(below[column]), Int32(below[column + 1]))
        grain.append(Float(2 * (n + s + w + e) - 4 * c - nw - ne - sw - se) * 0.25)
        let (stepAcross, stepDown) = (e - c, s - c)
        rowFlat += abs(stepAcross) <= 1 ? 1 : 0
        rowAcross += stepAcross * stepAcross
        rowDown += stepDown * stepDown
        let both = Float(stepAcross * stepAcross + stepDown * stepDown)
        square += both
        fourth += both * both
      }
      flat += Int(rowFlat)
      across += Float(rowAcross)
      down += Float(rowDown)
    }
    let count = Float(inner * inner)
    let (mean, meanFourth) = (square / count + 1e-3, fourth / count + 1e-3)
    return grainNumbers(inner) + [
      Float(flat) / count, Float.log(meanFourth / (mean * mean)),
      abs(Float.log((across + 1) / (down + 1))),
    ] + noise(plane, x: x, y: y, inner)
  }

  /// Returns the strength, peakedness and neighbor correlation of the high-pass-filtered tile.
  private func grainNumbers(_ inner: Int) -> [Float] {
    let values = grain.span
    var (sum, square, fourth, across, down): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
    for row in 0..<inner {
      for column in 0..<inner {
        let at = row * inner + column
        let value = values[at]
        sum += value
        let power = value * value
        square += power
        fourth += power * power
        if column > 0 { across += value * values[at - 1] }
        if row > 0 { down += value * values[at - inner] }
      }
    }
    let count = Float(inner * inner)
    let variance = square / count + 1e-3
    return [
      Float.log(variance.squareRoot() + 0.05),
      Float.log((fourth / count + 1e-3) / (variance * variance)), across / count / variance,
      down / count / variance,
    ]
  }

  /// Returns the grain strength in 8 × 8 blocks: quantiles, their spread, and its correlation with brightness.
  private func noise(_ plane: Plane, x: Int, y: Int, _ inner: Int) -> [Float] {
    let values = grain.span
    let samples = plane.samples.span
    var strengths: [Float] = []
    var lights: [Float] = []
    for top in stride(from: 0, through: inner - 8, by: 8) {
      for left in stride(from: 0, through: inner - 8, by: 8) {
        var (sum, square, light): (Float, Float, Int32) = (0, 0, 0)
        for row in top..<top + 8 {
          for column in left..<left + 8 {
            let value = values[row * inner + column]
            sum += value
            square += value * value
            light += Int32(samples[(y + row + 1) * plane.width + x + column + 1])
          }
        }
        let mean = sum / 64
        strengths.append(max(square / 64 - mean * mean, 0).squareRoot())
        lights.append(Float(light) / 64)
      }
    }
    let sorted = strengths.sorted()
    func quantile(_ share: Float) -> Float {
      Float.log(sorted[Int(Float(sorted.count - 1) * share)] + 0.05)
    }
    let (low, middle, high) = (quantile(0.1), quantile(0.5), quantile(0.9))
    return [low, middle, high, high - low, Self.correlation(strengths, lights)]
  }

  static func correlation(_ a: [Float], _ b: [Float]) -> Float {
    let count = Float(max(a.count, 1))
    let (meanA, meanB) = (a.reduce(0, +) / count, b.reduce(0, +) / count)
    var (both, squareA, squareB): (Float, Float, Float) = (0, 1e-3, 1e-3)
    for (x, y) in zip(a, b) {
      both += (x - meanA) * (y - meanB)
      squareA += (x - meanA) * (x - meanA)
      squareB += (y - meanB) * (y - meanB)
    }
    return both / (squareA * squareB).squareRoot()
  }
}
