import MienImaging

/// Adds blocks of coefficients up to the picture made small, without turning them into samples first.
///
/// A sum of samples is a sum of coefficients with weights. What rounding and clipping of single samples would have done is
/// lost: at most a tenth of a level in the means.
struct DownscaleAccumulator {
  /// Of boxes side by side that a block reaches into, from the left.
  typealias Lanes = SIMD4<Float>

  /// Of smaller boxes a block reaches into more than there are lanes.
  static let leastFactor = 3

  /// How a block lies among boxes.
  private struct Place {
    /// The box of the first lane: that of blocks before it, too, as far as the lanes reach.
    let box: Int
    /// Where its eight of ``DownscaleAccumulator/weights`` begin.
    let weights: Int
    /// True when the next block has other lanes.
    var isLast = false
  }

  /// A row of boxes that a row of blocks reaches into, and what it adds: by coefficient down a block.
  private struct Reach {
    let box: Int
    var weights: SIMD8<Float>
  }

  private let columns: Int
  private let rows: Int
  private let area: Float
  /// By column of blocks.
  private let places: [Place]
  /// How much the n-th of eight coefficients along a row adds to each lane, for all ways in which blocks lie among boxes.
  let weights: ContiguousArray<Lanes>
  /// By row of blocks.
  private let down: [[Reach]]
  /// For each row of blocks that is added up: by coefficient down, then by box and the boxes right of the last.
  private var waves: ContiguousArray<Float>
  private let breadth: Int
  private var sums: ContiguousArray<Float>

  /// - Parameters:
  ///   - width: samples of the picture; `height` likewise.
  ///   - sampling: its factor is what a box has a side, at least ``leastFactor``.
  ///   - blocks: side by side in the picture, with those that only fill a unit up.
  ///   - lines: how many rows of blocks are added up at a time.
  init(width: Int, height: Int, sampling: SamplingPlan, blocks: Int, lines: Int) {
    let factor = sampling.factor
    precondition(factor >= Self.leastFactor, "a block reaches into more boxes than there are lanes")
    (columns, rows) = (width / factor, height / factor)
    area = Float(sampling.rows(of: 0).count * factor)
    (places, weights) = Self.across(width: width, factor: factor, blocks: blocks)
    down = Self.down(height: height, factor: factor, (0..<rows).flatMap(sampling.rows))
    breadth = columns + Lanes.scalarCount
    waves = ContiguousArray(repeating: 0, count: lines * 8 * breadth)
    sums = ContiguousArray(repeating: 0, count: columns * rows)
  }

  private static func across(width: Int, factor: Int, blocks: Int) -> ([Place], ContiguousArray<Lanes>) {
    let end = width / factor * factor
    var places: [Place] = []
    var weights: ContiguousArray<Lanes> = []
    // Whole blocks that begin alike in the first box lie alike.
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

  /// - Parameter used: the rows that count, in order.
  private static func down(height: Int, factor: Int, _ used: [Int]) -> [[Reach]] {
    var down = [[Reach]](repeating: [], count: (height + 7) / 8)
    for place in used {
      let (block, box, wave) = (place / 8, place / factor, InverseDCT.wave(at: place % 8))
      if let last = down[block].last, last.box == box {
        down[block][down[block].count - 1].weights += wave
      } else {
        down[block].append(Reach(box: box, weights: wave))
      }
    }
    return down
  }

  /// Which eight of ``weights`` are those of blocks in a column.
  @inline(__always)
  func weights(ofColumn column: Int) -> Range<Int> {
    let start = places[column].weights
    return start..<start &+ 8
  }

  /// True when ``add(_:column:line:)`` has to take what blocks up to this column add.
  @inline(__always)
  func isLast(ofLanes column: Int) -> Bool { places[column].isLast }

  /// Adds what blocks with the same lanes add, by coefficient down, to one of the rows that are added up; `block` is zeros
  /// then.
  @inline(__always)
  mutating func add(_ block: inout MutableSpan<Lanes>, column: Int, line: Int) {
    let breadth = breadth
    let first = 8 &* line &* breadth &+ places[column].box
    var waves = waves.mutableSpan
    for number in 0..<8 {
      let start = first &+ number &* breadth
      var four = waves._mutatingExtracting(start..<start &+ 4)
      let sum = Lanes(four[0], four[1], four[2], four[3]) + block[number]
      four[0] = sum[0]
      four[1] = sum[1]
      four[2] = sum[2]
      four[3] = sum[3]
      block[number] = Lanes()
    }
  }

  /// Ends one of the rows of blocks that are added up: the picture's `row`th.
  mutating func endRow(_ row: Int, line: Int) {
    let part = 8 * line * breadth..<8 * (line + 1) * breadth
    for reach in row < down.count ? down[row] : [] {
      Self.add(waves, part, reach.weights, to: &sums, reach.box * columns..<(reach.box + 1) * columns)
    }
    for place in part { waves[place] = 0 }
  }

  private static func add(
    _ waves: ContiguousArray<Float>, _ part: Range<Int>, _ weights: SIMD8<Float>, to sums: inout ContiguousArray<Float>,
    _ row: Range<Int>
  ) {
    let waves = waves.span.extracting(part)
    let breadth = part.count / 8
    var all = sums.mutableSpan
    var sums = all._mutatingExtracting(row)
    for number in 0..<8 {
      let wave = waves.extracting(number * breadth..<number * breadth + row.count)
      let weight = weights[number]
      for box in 0..<row.count { sums[box] += wave[box] * weight }
    }
  }

  /// The picture made small, of all its sums.
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
