import MienImaging
internal import RealModule

/// Statistics of a downscaled image as a whole: tones and edge directions.
enum SceneLayout {
  static let names: [String] = [
    "tone.dark", "tone.middle", "tone.bright", "tone.black", "tone.white", "edges.best", "edges.cross", "edges.spread",
    "edges.tilt", "edges.share", "edges.steep", "tone.variety", "cells.spread", "cells.center", "cells.flat",
    "cells.structure", "cells.contrast", "near.across", "near.down", "far.across", "far.down",
  ]

  static func measure(_ plane: Plane) -> [Float] {
    let (width, height) = (plane.width, plane.height)
    let samples = plane.samples.span
    var histogram = [Int](repeating: 0, count: 256)
    // Gradient directions in 36 sectors of the half circle.
    var directions = [Float](repeating: 0, count: 36)
    var strong = 0
    for y in 1..<height - 1 {
      let above = samples.extracting((y - 1) * width..<y * width)
      let line = samples.extracting(y * width..<(y + 1) * width)
      let below = samples.extracting((y + 1) * width..<(y + 2) * width)
      for x in 1..<width - 1 {
        histogram[Int(line[x])] += 1
        let (gx, gy) = (Int32(line[x + 1]) - Int32(line[x - 1]), Int32(below[x]) - Int32(above[x]))
        let square = gx * gx + gy * gy
        guard square > 400 else { continue }
        strong += 1
        directions[direction(gx, gy)] += Float(square).squareRoot()
      }
    }
    let count = Float((width - 2) * (height - 2))
    func quantile(_ share: Float) -> Float {
      var left = share * count
      for (tone, number) in histogram.enumerated() {
        left -= Float(number)
        if left <= 0 { return Float(tone) / 255 }
      }
      return 1
    }
    let total = directions.reduce(0, +) + 1
    // Sums of two perpendicular directions, each a sixth of a right angle wide.
    var crosses = [Float](repeating: 0, count: 18)
    for start in 0..<18 {
      for offset in -1...1 {
        crosses[start] += directions[(start + offset + 36) % 36] + directions[(start + offset + 18) % 36]
      }
      crosses[start] /= total
    }
    let best = crosses.indices.max { crosses[$0] < crosses[$1] }
    let entropy = directions.reduce(Float(0)) { sum, value in
      let share = value / total
      return share > 0 ? sum - share * Float.log(share) : sum
    }
    let tilt = best.map { Float(min($0, 18 - $0)) / 9 }
    return [
      quantile(0.02), quantile(0.5), quantile(0.98), Float(histogram[..<8].reduce(0, +)) / count,
      Float(histogram[248...].reduce(0, +)) / count, (directions.max() ?? total) / total,
      best.map { crosses[$0] } ?? total / total, entropy, tilt ?? total / total, Float(strong) / count,
      strong > 0 ? Float.log((total / Float(strong)) + 1) : 0, variety(histogram, count),
    ] + cells(plane) + autocorrelations(plane)
  }

  /// Returns the entropy of the tones, in nats.
  private static func variety(_ histogram: [Int], _ count: Float) -> Float {
    histogram.reduce(Float(0)) { sum, number in
      let share = Float(number) / count
      return number > 0 ? sum - share * Float.log(share) : sum
    }
  }

  /// Returns luma over 4 × 4 cells (spread, and the central four against the others), and structure in 8 × 8 blocks:
  /// the share of flat blocks, and the median and upper decile of the standard deviations, as logarithms.
  private static func cells(_ plane: Plane) -> [Float] {
    let (columns, rows) = (plane.width / 8, plane.height / 8)
    let samples = plane.samples.span
    var (lights, counts) = ([Float](repeating: 0, count: 16), [Float](repeating: 0, count: 16))
    var deviations: [Float] = []
    for blockRow in 0..<rows {
      for blockColumn in 0..<columns {
        var (sum, square): (Int32, Int32) = (0, 0)
        for y in blockRow * 8..<blockRow * 8 + 8 {
          for x in blockColumn * 8..<blockColumn * 8 + 8 {
            let value = Int32(samples[y * plane.width + x])
            sum += value
            square += value * value
          }
        }
        let mean = Float(sum) / 64
        deviations.append(max(Float(square) / 64 - mean * mean, 0).squareRoot())
        let cell = blockRow * 4 / rows * 4 + blockColumn * 4 / columns
        lights[cell] += mean
        counts[cell] += 1
      }
    }
    let means = zip(lights, counts).map { $0 / max($1, 1) }
    let mean = means.reduce(0, +) / 16
    let variance = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 16
    let center = (means[5] + means[6] + means[9] + means[10]) / 4
    deviations.sort()
    let flat = Float(deviations.count { $0 < 2 }) / Float(deviations.count)
    return [
      variance.squareRoot() / 255, (center - mean) / 255, flat,
      Float.log(deviations[deviations.count / 2] + 0.5),
      Float.log(deviations[deviations.count * 9 / 10] + 0.5),
    ]
  }

  /// Returns the correlation, −1…1, of samples 8 and 32 apart, along rows and down columns.
  private static func autocorrelations(_ plane: Plane) -> [Float] {
    let samples = plane.samples.span
    var sum = 0
    for index in samples.indices { sum += Int(samples[index]) }
    let mean = Float(sum) / Float(samples.count)
    func correlation(_ dx: Int, _ dy: Int) -> Float {
      var (both, square): (Float, Float) = (0, 1)
      for y in stride(from: 0, to: plane.height - dy, by: 2) {
        for x in stride(from: 0, to: plane.width - dx, by: 2) {
          let first = Float(samples[y * plane.width + x]) - mean
          both += first * (Float(samples[(y + dy) * plane.width + x + dx]) - mean)
          square += first * first
        }
      }
      return both / square
    }
    return [correlation(8, 0), correlation(0, 8), correlation(32, 0), correlation(0, 32)]
  }

  /// Returns the index of one of 36 directions of the half circle; the first is centered on a gradient along the rows.
  private static func direction(_ x: Int32, _ y: Int32) -> Int {
    let (fx, fy) = y < 0 || (y == 0 && x < 0) ? (Float(-x), Float(-y)) : (Float(x), Float(y))
    // Direction in quarter turns by the diamond angle, whose error is below half a sector.
    let turn = fx >= 0 ? fy / (fx + fy) : 1 - fx / (fy - fx)
    return Int((turn * 18).rounded()) % 36
  }
}
