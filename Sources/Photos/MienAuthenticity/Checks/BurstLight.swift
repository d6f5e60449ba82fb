import MienImaging
internal import RealModule

/// Measurements of light and focus over the frames of a burst.
enum BurstLight {
  /// Returns the temporal brightness flicker: the root mean square of the second differences of the frames' mean luma,
  /// in percent of the mean; nil with fewer than five frames or in darkness. Slow exposure changes contribute almost
  /// nothing.
  static func flicker(_ frames: [Plane]) -> Double? {
    guard frames.count >= 5 else { return nil }
    let means = frames.map { frame in
      Double(frame.samples.reduce(0) { $0 + Int($1) }) / Double(frame.samples.count)
    }
    let mean = means.reduce(0, +) / Double(means.count)
    guard mean > 4 else { return nil }
    var sum = 0.0
    for index in 1..<means.count - 1 {
      let secondDifference = means[index - 1] - 2 * means[index] + means[index + 1]
      sum += secondDifference * secondDifference
    }
    return 100 * (sum / Double(means.count - 2)).squareRoot() / mean / 2.45
  }

  /// Returns the strength of bands that move relative to the content: for adjacent frames, the depth of the strongest
  /// wave along the rows that the left and right halves share in the ratio of their luma; in percent, the median over
  /// the burst. Returns nil in darkness.
  ///
  /// - Parameter frames: frames of equal size.
  static func bandMotion(_ frames: [Plane]) -> Double? {
    guard let length = frames.first?.height else { return nil }
    var depths: [Double] = []
    let roots = RootsOfUnity.all(length)
    for (first, second) in zip(frames, frames.dropFirst()) {
      guard let left = ratio(first, second, half: 0), let right = ratio(first, second, half: 1) else { return nil }
      var best = 0.0
      for cycles in 2..<max(3, length / 8) {
        var (a, b) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
        for index in 0..<length {
          let root = roots[index * cycles % length]
          a += left[index] * root
          b += right[index] * root
        }
        // In-phase component of both halves; moving content differs between them.
        let shared = (a * b).sum()
        if shared > 0.8 * ((a * a).sum() * (b * b).sum()).squareRoot() {
          best = max(best, 2 / Double(length) * shared.squareRoot())
        }
      }
      depths.append(100 * best)
    }
    depths.sort()
    return depths.isEmpty ? nil : depths[depths.count / 2]
  }

  /// Returns ln of the row-by-row luma ratio of two frames over one half of the width, minus its mean.
  private static func ratio(_ first: Plane, _ second: Plane, half: Int) -> [Double]? {
    let columns = half * first.width / 2..<(half + 1) * first.width / 2
    var values: [Double] = []
    for y in 0..<first.height {
      var (a, b) = (0, 0)
      for x in columns {
        a += Int(first.samples[y * first.width + x])
        b += Int(second.samples[y * first.width + x])
      }
      guard a > columns.count, b > columns.count else { return nil }
      values.append(Double.log(Double(b) / Double(a)))
    }
    let mean = values.reduce(0, +) / Double(values.count)
    return values.map { $0 - mean }
  }

  /// Returns how differently parts of the scene react to refocusing: minus the standard deviation, over a 4 × 4 grid,
  /// of the logarithmic sharpness change between the sharpest and the least sharp frame. Returns nil if sharpness
  /// changed by less than a quarter, which means that no refocusing took place. A flat recapture sharpens uniformly.
  static func refocus(_ frames: [Plane]) -> Double? {
    let sharpness = frames.map { frame in (0..<16).map { cellSharpness(frame, $0) } }
    let totals = sharpness.map { $0.reduce(0, +) }
    guard let best = totals.indices.max(by: { totals[$0] < totals[$1] }),
      let worst = totals.indices.min(by: { totals[$0] < totals[$1] }), totals[worst] > 1,
      totals[best] > 1.25 * totals[worst]
    else { return nil }
    let changes = zip(sharpness[best], sharpness[worst]).filter { $0.0 > 0.5 && $0.1 > 0.5 }
      .map { Double.log($0.0 / $0.1) }
    guard changes.count >= 8 else { return nil }
    let mean = changes.reduce(0, +) / Double(changes.count)
    return -(changes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(changes.count)).squareRoot()
  }

  /// Returns the mean absolute Laplacian of one of sixteen cells.
  private static func cellSharpness(_ plane: Plane, _ cell: Int) -> Double {
    let (columns, rows) = (plane.width / 4, plane.height / 4)
    let (left, top) = (cell % 4 * columns, cell / 4 * rows)
    let samples = plane.samples.span
    var (sum, count) = (0, 0)
    for y in max(top, 1)..<min(top + rows, plane.height - 1) {
      for x in max(left, 1)..<min(left + columns, plane.width - 1) {
        let at = y * plane.width + x
        let around =
          Int(samples[at - 1]) + Int(samples[at + 1]) + Int(samples[at - plane.width]) + Int(samples[at + plane.width])
        sum += abs(4 * Int(samples[at]) - around)
        count += 1
      }
    }
    return Double(sum) / Double(max(count, 1))
  }
}
