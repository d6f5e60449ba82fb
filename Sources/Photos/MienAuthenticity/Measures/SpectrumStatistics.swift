/// Statistics of one logarithmic spectrum.
///
/// In the order of ``names``: mean levels of rings above the lowest ring; peaks in three bands (height over the local
/// background in its standard deviations: maximum, and mean of the 12 greatest; the same mean without dividing);
/// unevenness over directions in two bands; lines along the axes.
struct SpectrumStatistics {
  static let names: [String] =
    (1...8).map { "ring\($0)" }
    + (0..<3).flatMap { ["peak\($0)", "peaks\($0)", "rise\($0)"] }
    + (0..<2).flatMap { ["uneven\($0)", "beam\($0)"] }
    + ["most", "least"].flatMap { side in (0..<3).flatMap { ["line.\(side)\($0)", "lines.\(side)\($0)"] } }

  /// A peak: its bin and its height above the surroundings, in their standard deviations.
  struct Peak {
    var bin: Int
    var height: Float
  }

  private(set) var values: [Float] = []
  /// Highest peak of each band.
  private(set) var peaks: [Peak] = []
  /// Highest peaks that are more than two bins apart, highest first; at most 24.
  private(set) var distinct: [Peak] = []

  /// Scope of the statistics.
  enum Extent {
    /// Peaks only: ``values`` contains just their nine values.
    case peaks
    case all
  }

  private let map: SpectrumMap
  private var prominence: SpectralPeakProminence

  init(map: SpectrumMap) {
    self.map = map
    prominence = SpectralPeakProminence(size: map.size)
  }

  /// Range of the peak values in ``names``.
  static let peakNames = 8..<17

  /// Computes the statistics of a spectrum of the map's size.
  mutating func measure(_ logPower: ContiguousArray<Float>, _ extent: Extent = .all) {
    values.removeAll(keepingCapacity: true)
    peaks.removeAll(keepingCapacity: true)
    distinct.removeAll(keepingCapacity: true)
    guard extent == .all else { return findPeaks(logPower, separately: false) }
    let rings = ringMeans(logPower)
    for ring in 1..<9 { values.append(rings[ring] - rings[0]) }
    findPeaks(logPower, separately: true)
    directions(logPower, rings)
    lines(logPower)
  }

  private func ringMeans(_ logPower: ContiguousArray<Float>) -> [Float] {
    var sums = [Float](repeating: 0, count: 256)
    var counts = [Float](repeating: 0, count: 256)
    for bin in logPower.indices {
      let ring = Int(map.ring[bin])
      sums[ring] += logPower[bin]
      counts[ring] += 1
    }
    return (0..<9).map { counts[$0] > 0 ? sums[$0] / counts[$0] : 0 }
  }

  private mutating func findPeaks(_ logPower: ContiguousArray<Float>, separately: Bool) {
    let columns = map.columns
    var heights = [ArgMax](repeating: ArgMax(count: 12), count: 3)
    var rises = heights
    var all = ArgMax(count: separately ? 96 : 1)
    let (bands, mask) = (map.peakBand, map.peakMask)
    // Skips bins below the thresholds of all bands; a bin below its surroundings is never a peak.
    var (lowestHeight, lowestRise): (Float, Float) = (0, 0)
    prominence.start(logPower.span)
    for row in 0..<map.size {
      prominence.advance(to: row, logPower.span, mask: mask.span)
      let (heightRow, riseRow) = (prominence.heights, prominence.rises)
      let (height, rise) = (heightRow.span, riseRow.span)
      for column in 0..<columns where height[column] > lowestHeight || rise[column] > lowestRise {
        let bin = row * columns + column
        let band = Int(bands[bin])
        rises[band].offer(rise[column], at: bin)
        heights[band].offer(height[column], at: bin)
        if separately { all.offer(height[column], at: bin) }
        lowestHeight = max(0, min(heights[0].bar, heights[1].bar, heights[2].bar))
        if separately { lowestHeight = min(lowestHeight, max(0, all.bar)) }
        lowestRise = max(0, min(rises[0].bar, rises[1].bar, rises[2].bar))
      }
    }
    for band in 0..<3 {
      values += [heights[band].first, heights[band].mean, rises[band].mean]
      if let best = heights[band].best { peaks.append(Peak(bin: best.bin, height: best.value)) }
    }
    if separately { separate(all) }
  }

  private mutating func separate(_ all: ArgMax) {
    let columns = map.columns
    for (bin, value) in all.sorted {
      let isNear = distinct.contains {
        abs($0.bin / columns - bin / columns) <= 2 && abs($0.bin % columns - bin % columns) <= 2
      }
      if !isNear { distinct.append(Peak(bin: bin, height: value)) }
      if distinct.count == 24 { break }
    }
  }

  private mutating func directions(_ logPower: ContiguousArray<Float>, _ rings: [Float]) {
    var sums = [Float](repeating: 0, count: 32)
    var counts = sums
    for bin in logPower.indices where map.sector[bin] < 32 {
      let (sector, ring) = (Int(map.sector[bin]), Int(map.ring[bin]))
      guard ring < 9 else { continue }
      sums[sector] += logPower[bin] - rings[ring]
      counts[sector] += 1
    }
    for band in 0..<2 {
      let means = (0..<16).map { sums[band * 16 + $0] / max(counts[band * 16 + $0], 1) }
      let mean = means.reduce(0, +) / 16
      let variance = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 16
      let sorted = means.sorted()
      values += [variance.squareRoot(), sorted[15] - (sorted[7] + sorted[8]) / 2]
    }
  }

  /// Appends the lines along the two axes, above a running median of 21: the axis with the greater value, then the
  /// other.
  private mutating func lines(_ logPower: ContiguousArray<Float>) {
    let (size, columns) = (map.size, map.columns)
    func value(_ row: Int, _ column: Int) -> Float { logPower[(row + size) % size * columns + column] }
    let down = (1..<columns).map { k in
      (0..<3).reduce(-Float.infinity) { max($0, value(k, $1), value(-k, $1)) }
    }
    let across = (1..<columns).map { k in (-2...2).reduce(-Float.infinity) { max($0, value($1, k)) } }
    let (first, second) = (line(down), line(across))
    values += zip(first, second).map { max($0, $1) } + zip(first, second).map { min($0, $1) }
  }

  private func line(_ profile: [Float]) -> [Float] {
    var bands = [ArgMax](repeating: ArgMax(count: 4), count: 3)
    var window: [Float] = []
    for index in profile.indices {
      let k = index + 1
      let frequency = Float(k) / Float(map.size)
      guard !map.isBlockLine[k], frequency >= 0.04 else { continue }
      window = Array(profile[max(0, index - 10)...min(profile.count - 1, index + 10)])
      window.sort()
      bands[frequency < 0.15 ? 0 : frequency < 0.3 ? 1 : 2].offer(profile[index] - window[window.count / 2], at: k)
    }
    return bands.flatMap { [$0.first, $0.mean] }
  }
}

/// The greatest of the offered values, with their bins.
struct ArgMax {
  private var values: [Float]
  private var bins: [Int]
  private var filled = 0

  init(count: Int) {
    values = Array(repeating: -.infinity, count: count)
    bins = Array(repeating: 0, count: count)
  }

  /// Threshold that a new value has to exceed to be stored.
  var bar: Float { values[values.count - 1] }

  mutating func offer(_ value: Float, at bin: Int) {
    guard value > bar else { return }
    var at = values.count - 1
    while at > 0, values[at - 1] < value {
      values[at] = values[at - 1]
      bins[at] = bins[at - 1]
      at -= 1
    }
    values[at] = value
    bins[at] = bin
    filled = min(filled + 1, values.count)
  }

  var sorted: [(bin: Int, value: Float)] { (0..<filled).map { (bins[$0], values[$0]) } }
  var best: (bin: Int, value: Float)? { filled > 0 ? (bins[0], values[0]) : nil }
  /// Greatest value, or 0 if none was stored (no peak).
  var first: Float { filled > 0 ? values[0] : 0 }
  var mean: Float { filled > 0 ? values[..<filled].reduce(0, +) / Float(filled) : 0 }
}
