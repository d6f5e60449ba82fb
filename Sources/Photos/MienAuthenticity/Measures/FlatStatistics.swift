import MienImaging
internal import RealModule

/// Statistics of the residual in flat image regions: sparse marks, or a uniform texture everywhere.
///
/// Tiles are cut into blocks at full, half and quarter scale. A second-degree surface is subtracted from each block,
/// and three properties of the residual are measured: its peakedness (logarithm of the kurtosis), the peakedness of its
/// Laplacian, and the unevenness of its power over the block. Only the flattest blocks count, ranked by their structure
/// at scales above four samples. A real flat background has a few specks and scratches, so its residual is peaked; a
/// screen overlays its own uniform texture of pixel grid, beats and noise, so its residual is normal or even less
/// peaked.
struct FlatStatistics {
  private static let scales = ["full", "half", "quarter"]
  private static let measures: [String] =
    ["peaked10", "peaked25", "peaked50", "peaked", "peaked.low", "steps10", "steps25", "steps50", "steps"]
    + ["uneven25", "uneven50", "strength", "structure", "coarseness"]
  static let names = scales.flatMap { scale in measures.map { "flat.\(scale).\($0)" } }

  /// Measurements of one tile.
  struct Blocks: Sendable {
    /// Blocks per scale.
    fileprivate var scales: [[Block]] = [[], [], []]
  }

  /// Measurements of one block.
  fileprivate struct Block: Sendable {
    var mean: Float
    /// Standard deviation of the residual.
    var strength: Float
    /// Standard deviation of the 4 × 4 sample means of the residual.
    var structure: Float
    var peaked: Float
    var steps: Float
    var uneven: Float

    /// `true` if the block is neither clipped nor free of noise.
    var isUsable: Bool { mean > 25 && mean < 235 && strength > 0.4 }
  }

  /// Samples of a tile at the current scale.
  private var samples: [Float] = []

  /// Measures the luma of a square tile whose side is a multiple of 64.
  mutating func measure(_ luma: Plane) -> Blocks {
    var blocks = Blocks()
    var size = luma.width
    load(luma)
    for scale in blocks.scales.indices {
      if scale > 0 {
        halve(size)
        size /= 2
      }
      cut(size, into: &blocks.scales[scale])
    }
    return blocks
  }

  /// Returns the statistics over all tiles, which must have the same size.
  static func numbers(of tiles: [Blocks]) -> [Float] {
    scales.indices.flatMap { scale in numbers(tiles.flatMap { $0.scales[scale] }) }
  }

  private mutating func load(_ plane: Plane) {
    let count = plane.samples.count
    if samples.count != count { samples = [Float](repeating: 0, count: count) }
    let source = plane.samples.span.extracting(0..<count)
    var target = samples.mutableSpan
    for place in 0..<count { target[place] = Float(source[place]) }
  }

  /// Downscales by averaging 2 × 2 samples.
  private mutating func halve(_ size: Int) {
    let half = size / 2
    var halved = [Float](repeating: 0, count: half * half)
    let whole = samples
    let source = whole.span
    var target = halved.mutableSpan
    for y in 0..<half {
      let upper = source.extracting(2 * y * size..<(2 * y + 1) * size)
      let lower = source.extracting((2 * y + 1) * size..<(2 * y + 2) * size)
      var line = target._mutatingExtracting(y * half..<(y + 1) * half)
      for x in 0..<half {
        line[x] = (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]) * 0.25
      }
    }
    samples = halved
  }

  private mutating func cut(_ size: Int, into blocks: inout [Block]) {
    let side = size >= 128 ? 32 : 16
    // Overlapping blocks compensate for the small number of samples.
    let step = size >= 64 ? side : side / 2
    var surface = QuadraticSurfaceFit(side: side)
    var columns = ColumnSums()
    var residual: [Float] = []
    var cells = [Float](repeating: 0, count: 16)
    for y in stride(from: 0, through: size - side, by: step) {
      for x in stride(from: 0, through: size - side, by: step) {
        residual.removeAll(keepingCapacity: true)
        for row in y..<y + side { residual.append(contentsOf: samples[row * size + x..<row * size + x + side]) }
        let mean = surface.take(from: &residual)
        blocks.append(Self.block(residual.span, side, mean: mean, &columns, &cells))
      }
    }
  }

  /// - Parameter cells: scratch storage for the powers of sixteen parts.
  private static func block(
    _ residual: Span<Float>, _ side: Int, mean: Float, _ columns: inout ColumnSums, _ cells: inout [Float]
  ) -> Block {
    // Summing down the columns lets the compiler vectorize the loop.
    columns.clear(side)
    let quarter = side / 4
    var (square, structure): (Float, Float) = (0, 0)
    for y in 0..<side {
      let line = residual.extracting(y * side..<(y + 1) * side)
      columns.add(line)
      if y % 4 == 3 { structure += columns.takeStructure() }
      guard (y + 1).isMultiple(of: quarter) else { continue }
      for part in 0..<4 {
        let sum = columns.takeSquares(part * quarter..<(part + 1) * quarter)
        cells[y / quarter * 4 + part] = sum
        square += sum
      }
    }
    let fourth = columns.fourths.reduce(0, +)
    columns.clear(side)
    for y in 1..<side - 1 {
      columns.addSteps(
        residual.extracting((y - 1) * side..<y * side), residual.extracting(y * side..<(y + 1) * side),
        residual.extracting((y + 1) * side..<(y + 2) * side))
    }
    let (stepSquare, stepFourth) = (columns.squares.reduce(0, +), columns.fourths.reduce(0, +))
    let (count, inner) = (Float(side * side), Float((side - 2) * (side - 2)))
    let (power, stepPower) = (square / count + 0.02, stepSquare / inner + 0.1)
    return Block(
      mean: mean, strength: (square / count).squareRoot(),
      structure: (structure / Float(side * side / 16)).squareRoot(),
      peaked: Float.log(fourth / count / (power * power) + 0.1),
      steps: Float.log(stepFourth / inner / (stepPower * stepPower) + 0.1),
      uneven: spread(&cells, count / 16))
  }

  /// Replaces the sums of sixteen cells by the logarithms of their means, and returns the standard deviation of these
  /// logarithms.
  private static func spread(_ cells: inout [Float], _ count: Float) -> Float {
    var mean: Float = 0
    for cell in 0..<16 {
      cells[cell] = Float.log(cells[cell] / count + 0.05)
      mean += cells[cell]
    }
    mean /= 16
    var square: Float = 0
    for cell in 0..<16 { square += (cells[cell] - mean) * (cells[cell] - mean) }
    return (square / 16).squareRoot()
  }

  private static func numbers(_ all: [Block]) -> [Float] {
    var usable = all.filter(\.isUsable)
    if usable.count < 4 { usable = all }
    // Ties are resolved in favor of the first.
    let order = usable.indices.sorted { (usable[$0].structure, $0) < (usable[$1].structure, $1) }.map { usable[$0] }
    func flattest(_ percent: Int) -> [Block] { Array(order.prefix(max(4, order.count * percent / 100))) }
    let (tenth, quarter, half) = (flattest(10), flattest(25), flattest(50))
    let peaked = order.map(\.peaked).sorted()
    return [
      median(tenth.map(\.peaked)), median(quarter.map(\.peaked)), median(half.map(\.peaked)), median(peaked),
      quantile(peaked, 0.25), median(tenth.map(\.steps)), median(quarter.map(\.steps)), median(half.map(\.steps)),
      median(order.map(\.steps)), median(quarter.map(\.uneven)), median(half.map(\.uneven)),
      Float.log(median(quarter.map(\.strength)) + 0.05),
      Float.log(median(quarter.map(\.structure)) + 0.05),
      median(quarter.map { Float.log(($0.structure + 0.05) / ($0.strength + 0.05)) }),
    ]
  }

  private static func median(_ values: [Float]) -> Float { quantile(values.sorted(), 0.5) }

  /// Returns a linearly interpolated quantile; `sorted` must not be empty.
  private static func quantile(_ sorted: [Float], _ share: Float) -> Float {
    let place = Float(sorted.count - 1) * share
    let low = Int(place)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (place - Float(low))
  }
}
