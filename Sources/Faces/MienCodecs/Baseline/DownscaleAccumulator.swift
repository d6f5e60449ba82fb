import MienImaging

/// Accumulates blocks of coefficients into the downscaled image without converting them to samples first.
///
/// A sum of samples is a weighted sum of coefficients. The effect of rounding and clipping single samples is lost: at
/// most a tenth of a level in the means.
struct DownscaleAccumulator {
  /// Sums for the adjacent boxes that a block overlaps, from the left.
  typealias Lanes = SIMD4<Float>

  /// Smallest supported factor: with smaller boxes, a block overlaps more boxes than there are lanes.
  static let leastFactor = 3

  /// Position of a block relative to the boxes.
  private struct Place {
    /// Box of the first lane. It is shared with preceding blocks as far as the lanes reach.
    let box: Int
    /// Index of its first of eight entries in ``DownscaleAccumulator/weights``.
    let weights: Int
    /// `true` if the next block uses different lanes.
    var isLast = false
  }

  /// A row of boxes that a row of blocks overlaps, and its weights by coefficient down a block.
  private struct RowOverlap {
    let box: Int
    var weights: SIMD8<Float>
  }

  private let columns: Int
  private let rows: Int
  private let area: Float
  /// Block positions, by column of blocks.
  private let places: [Place]
  /// Contribution of the n-th of eight coefficients along a row to each lane, for every alignment of blocks and boxes.
  let weights: ContiguousArray<Lanes>
  /// Overlapped rows of boxes, by row of blocks.
  private let down: [[RowOverlap]]
  /// For each row of blocks being accumulated: by coefficient down, then by box, with padding after the last box.
  private var partialSums: ContiguousArray<Float>
  private let rowStride: Int
  private var sums: ContiguousArray<Float>

  /// - Parameters:
  ///   - width: width of the image in samples; `height` likewise.
  ///   - sampling: its factor is the side of a box, at least ``leastFactor``.
  ///   - blocks: number of blocks per row, including those that pad the last MCU.
  ///   - lines: number of rows of blocks accumulated at a time.
  init(width: Int, height: Int, sampling: SamplingPlan, blocks: Int, lines: Int) {
    let factor = sampling.factor
    precondition(factor >= Self.leastFactor, "a block reaches into more boxes than there are lanes")
    (columns, rows) = (width / factor, height / factor)
    area = Float(sampling.rows(of: 0).count * factor)
    (places, weights) = Self.across(width: width, factor: factor, blocks: blocks)
    down = Self.down(height: height, factor: factor, (0..<rows).flatMap(sampling.rows))
    rowStride = columns + Lanes.scalarCount
    partialSums = ContiguousArray(repeating: 0, count: lines * 8 * rowStride)
    sums = ContiguousArray(repeating: 0, count: columns * rows)
  }

  private static func across(width: Int, factor: Int, blocks: Int) -> ([Place], ContiguousArray<Lanes>) {
    let end = width / factor * factor
    var places: [Place] = []
    var weights: ContiguousArray<Lanes> = []
    // Complete blocks with the same offset in their first box have the same weights.
    var known: [Int: Int] = [:]
    var box = 0
    for start in stride(from: 0, to: 8 * blocks, by: 8) {
      if (min(start + 8, end) - 1) / factor - box >= Lanes.scalarCount {
        box = start / factor
        places[places.count - 1].isLast = true
      }
      let offset = start - box * factor
      if start + 8 <= end, let place = known[offset] {
        places.append(Place(box: box, weights: place))
        continue
      }
      if start + 8 <= end { known[offset] = weights.count }
      places.append(Place(box: box, weights: weights.count))
      var eight = [Lanes](repeating: Lanes(), count: 8)
      for place in start..<max(start, min(start + 8, end)) {
        let wave = InverseDCT.wave(at: place - start)
        for number in 0..<8 { eight[number][place / factor - box] += wave[number] }
      }
      weights += eight
    }
    places[places.count - 1].isLast = true
    return (places, weights)
  }

  /// - Parameter used: the rows that are averaged, in order.
  private static func down(height: Int, factor: Int, _ used: [Int]) -> [[RowOverlap]] {
    var down = [[RowOverlap]](repeating: [], count: (height + 7) / 8)
    for place in used {
      let (block, box, wave) = (place / 8, place / factor, InverseDCT.wave(at: place % 8))
      if let last = down[block].last, last.box == box {
        down[block][down[block].count - 1].weights += wave
      } else {
        down[block].append(RowOverlap(box: box, weights: wave))
      }
    }
    return down
  }

  /// Returns the range of ``weights`` for the blocks in a column.
  @inline(__always)
  func weights(ofColumn column: Int) -> Range<Int> {
    let start = places[column].weights
    return start..<start &+ 8
  }

  /// `true` if the sums of the blocks up to this column have to be passed to ``add(_:column:line:)``.
  @inline(__always)
  func isLast(ofLanes column: Int) -> Bool { places[column].isLast }

  /// Adds the sums of blocks that share lanes, by coefficient down, to one of the rows being accumulated, and sets
  /// `block` to zeros.
  @inline(__always)
  mutating func add(_ block: inout MutableSpan<Lanes>, column: Int, line: Int) {
    let rowStride = rowStride
    let first = 8 &* line &* rowStride &+ places[column].box
    var partialSums = partialSums.mutableSpan
    for number in 0..<8 {
      let start = first &+ number &* rowStride
      var four = partialSums._mutatingExtracting(start..<start &+ 4)
      let sum = Lanes(four[0], four[1], four[2], four[3]) + block[number]
      four[0] = sum[0]
      four[1] = sum[1]
      four[2] = sum[2]
      four[3] = sum[3]
      block[number] = Lanes()
    }
  }

  /// Finishes one of the rows of blocks being accumulated: row `row` of the image.
  mutating func endRow(_ row: Int, line: Int) {
    let part = 8 * line * rowStride..<8 * (line + 1) * rowStride
    for overlap in row < down.count ? down[row] : [] {
      Self.add(partialSums, part, overlap.weights, to: &sums, overlap.box * columns..<(overlap.box + 1) * columns)
    }
    for place in part { partialSums[place] = 0 }
  }

  private static func add(
    _ partialSums: ContiguousArray<Float>, _ part: Range<Int>, _ weights: SIMD8<Float>,
    to sums: inout ContiguousArray<Float>,
    _ row: Range<Int>
  ) {
    let partialSums = partialSums.span.extracting(part)
    let rowStride = part.count / 8
    var all = sums.mutableSpan
    var sums = all._mutatingExtracting(row)
    for number in 0..<8 {
      let wave = partialSums.extracting(number * rowStride..<number * rowStride + row.count)
      let weight = weights[number]
      for box in 0..<row.count { sums[box] += wave[box] * weight }
    }
  }

  /// Returns the downscaled image.
  func plane() -> Plane {
    var plane = Plane()
    plane.reshape(width: columns, height: rows)
    let source = sums.span
    let share = 1 / area
    plane.writeSamples { samples in
      for index in samples.indices {
        samples[index] = UInt8(min(max(source[index] * share + 128.5, 0), 255))
      }
    }
    return plane
  }
}
