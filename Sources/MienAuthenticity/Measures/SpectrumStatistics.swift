/// Numbers that describe one logarithmic spectrum.
///
/// In the order of ``names``: mean levels of rings above the lowest ring; peaks in three bands (height over the local
/// background in its standard deviations: greatest, and mean of the 12 greatest; the same without dividing); unevenness
/// over directions in two bands; lines along the axes.
struct SpectrumStatistics {
  static let names: [String] =
    (1...8).map { "ring\($0)" }
    + (0..<3).flatMap { ["peak\($0)", "peaks\($0)", "rise\($0)"] }
    + (0..<2).flatMap { ["uneven\($0)", "beam\($0)"] }
    + ["most", "least"].flatMap { side in (0..<3).flatMap { ["line.\(side)\($0)", "lines.\(side)\($0)"] } }

  /// One peak: its bin and how far it stands above its surroundings, in their standard deviations.
  struct Peak {
    var bin: Int
    var height: Float
  }

  private(set) var values: [Float] = []
  /// The greatest of each band.
  private(set) var peaks: [Peak] = []
  /// The greatest that are more than two bins apart, highest first; at most 24.
  private(set) var distinct: [Peak] = []

  private let map: SpectrumMap
  private var sums: ContiguousArray<SIMD2<Float>>
  private var rowSums: ContiguousArray<SIMD2<Float>>

  init(map: SpectrumMap) {
    self.map = map
    sums = ContiguousArray(repeating: .zero, count: map.size * map.columns)
    rowSums = sums
  }

  /// Describes a spectrum of the map's size.
  mutating func measure(_ logPower: ContiguousArray<Float>) {
    values.removeAll(keepingCapacity: true)
    peaks.removeAll(keepingCapacity: true)
    let rings = ringMeans(logPower)
    for ring in 1..<9 { values.append(rings[ring] - rings[0]) }
    boxSums(logPower)
    findPeaks(logPower)
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

  /// Sums of values and squares over boxes of 15 × 15: around the corner downwards, cut off at the left and right end.
  private mutating func boxSums(_ logPower: ContiguousArray<Float>) {
    let (size, columns) = (map.size, map.columns)
    let source = logPower.span
    do {
      var target = rowSums.mutableSpan
      for row in 0..<size {
        let start = row * columns
        var sum = SIMD2<Float>.zero
        for column in 0..<min(7, columns) { sum += Self.pair(source[start + column]) }
        for column in 0..<columns {
          if column + 7 < columns { sum += Self.pair(source[start + column + 7]) }
          if column - 8 >= 0 { sum -= Self.pair(source[start + column - 8]) }
          target[start + column] = sum
        }
      }
    }
    var taken = ContiguousArray<SIMD2<Float>>()
    swap(&taken, &sums)
    downSums(into: &taken)
    swap(&taken, &sums)
  }

  private func downSums(into sums: inout ContiguousArray<SIMD2<Float>>) {
    let (size, columns) = (map.size, map.columns)
    let rows = rowSums.span
    var target = sums.mutableSpan
    for column in 0..<columns {
      var sum = SIMD2<Float>.zero
      for row in -7...7 { sum += rows[(row + size) % size * columns + column] }
      target[column] = sum
    }
    for row in 1..<size {
      let (enters, leaves) = ((row + 7) % size * columns, (row - 8 + size) % size * columns)
      for column in 0..<columns {
        let above = target[(row - 1) * columns + column]
        target[row * columns + column] = above + rows[enters + column] - rows[leaves + column]
      }
    }
  }

  private static func pair(_ value: Float) -> SIMD2<Float> { SIMD2(value, value * value) }

  private mutating func findPeaks(_ logPower: ContiguousArray<Float>) {
    let (size, columns) = (map.size, map.columns)
    var heights = [Greatest](repeating: Greatest(count: 12), count: 3)
    var rises = heights
    var all = Greatest(count: 96)
    let (boxes, classes) = (self.sums, map.peakBand)
    let (source, sums, bands) = (logPower.span, boxes.span, classes.span)
    for row in 0..<size {
      let above = (row + size - 1) % size * columns
      let below = (row + 1) % size * columns
      let start = row * columns
      for column in 1..<columns - 1 {
        let bin = start + column
        let band = Int(bands[bin])
        guard band < 3 else { continue }
        var small = source[bin - 1] + source[bin] + source[bin + 1]
        small += source[above + column - 1] + source[above + column] + source[above + column + 1]
        small += source[below + column - 1] + source[below + column] + source[below + column + 1]
        let area = Float(15 * (min(column + 7, columns - 1) - max(column - 7, 0) + 1))
        let mean = sums[bin].x / area
        let rise = small / 9 - mean
        guard rise > 0 else { continue }
        rises[band].offer(rise, at: bin)
        let variance = max(sums[bin].y / area - mean * mean, 0.05)
        let height = rise / variance.squareRoot()
        heights[band].offer(height, at: bin)
        all.offer(height, at: bin)
      }
    }
    for band in 0..<3 {
      values += [heights[band].first, heights[band].mean, rises[band].mean]
      if let best = heights[band].best { peaks.append(Peak(bin: best.bin, height: best.value)) }
    }
    separate(all)
  }

  private mutating func separate(_ all: Greatest) {
    distinct.removeAll(keepingCapacity: true)
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

  /// Lines along the two axes, above a running median of 21; the axis with more, and the one with less.
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
    var bands = [Greatest](repeating: Greatest(count: 4), count: 3)
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

/// The greatest of the values offered.
private struct Greatest {
  private var values: [Float]
  private var bins: [Int]
  private var filled = 0

  init(count: Int) {
    values = Array(repeating: -.infinity, count: count)
    bins = Array(repeating: 0, count: count)
  }

  @inline(__always)
  mutating func offer(_ value: Float, at bin: Int) {
    if value > values[values.count - 1] { insert(value, bin) }
  }

  private mutating func insert(_ value: Float, _ bin: Int) {
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
  /// The greatest, 0 when none was offered: then nothing stands out.
  var first: Float { filled > 0 ? values[0] : 0 }
  var mean: Float { filled > 0 ? values[..<filled].reduce(0, +) / Float(filled) : 0 }
}
