import MienImaging

/// Adds blocks of coefficients up to the picture made small, without turning them into samples first.
///
/// A sum of samples is a sum of coefficients with weights. What rounding and clipping of single samples would have done is
/// lost: at most a tenth of a level in the means.
struct BoxSums {
  /// A row or column of boxes that blocks of one row or column reach into, and what they add: by coefficient along a side.
  struct Reach {
    let box: Int
    let weights: SIMD8<Float>
  }

  let columns: Int
  let rows: Int
  private let area: Float
  /// By column of blocks: where its part of ``across`` begins; one more at the end.
  private let acrossStarts: [Int]
  private let across: [Reach]
  private let downStarts: [Int]
  private let down: [Reach]

  /// - Parameters:
  ///   - width: samples of the picture; `height` likewise.
  ///   - sampling: its factor is what a box has a side.
  init(width: Int, height: Int, sampling: PictureSampling) {
    let factor = sampling.factor
    (columns, rows) = (width / factor, height / factor)
    area = Float(sampling.rows(of: 0).count * factor)
    let columns = columns
    let used = (0..<rows).flatMap(sampling.rows)
    (acrossStarts, across) = Self.reaches(side: width, factor: factor, 0..<columns * factor)
    (downStarts, down) = Self.reaches(side: height, factor: factor, used)
  }

  /// Zeros, one a box.
  var none: ContiguousArray<Float> { ContiguousArray(repeating: 0, count: columns * rows) }

  /// - Parameter used: the places that count, in order.
  private static func reaches(side: Int, factor: Int, _ used: some Sequence<Int>) -> ([Int], [Reach]) {
    var weights = [[(box: Int, weights: SIMD8<Float>)]](repeating: [], count: (side + 7) / 8)
    for place in used {
      let (block, box, wave) = (place / 8, place / factor, CosineBlock.wave(at: place % 8))
      if let last = weights[block].last, last.box == box {
        weights[block][weights[block].count - 1].weights += wave
      } else {
        weights[block].append((box, wave))
      }
    }
    var starts = [0]
    for part in weights { starts.append(starts[starts.count - 1] + part.count) }
    return (starts, weights.joined().map { Reach(box: $0.box, weights: $0.weights) })
  }

  /// Adds a block at a column and row of blocks; `last` is its last coefficient in zigzag order.
  @inline(__always)
  func add(_ values: Span<Float>, last: Int, column: Int, row: Int, to sums: inout MutableSpan<Float>) {
    guard column + 1 < acrossStarts.count, row + 1 < downStarts.count else { return }
    let (down, across) = (downStarts[row]..<downStarts[row + 1], acrossStarts[column]..<acrossStarts[column + 1])
    guard !down.isEmpty else { return }
    let block = values.extracting(0..<64)
    for index in across {
      let reach = self.across[index]
      let weights = reach.weights
      if last <= CosineBlock.lastOfLow {
        var low = CosineBlock.four(block, 0) * weights[0]
        low += CosineBlock.four(block, 8) * weights[1]
        low += CosineBlock.four(block, 16) * weights[2]
        low += CosineBlock.four(block, 24) * weights[3]
        for index in down {
          let reachDown = self.down[index]
          sums[reachDown.box &* columns &+ reach.box] += Self.sum(low * reachDown.weights.lowHalf)
        }
      } else {
        // In two chains, so that one need not wait for the other.
        var (even, odd) = (CosineBlock.eight(block, 0) * weights[0], CosineBlock.eight(block, 8) * weights[1])
        even += CosineBlock.eight(block, 16) * weights[2]
        odd += CosineBlock.eight(block, 24) * weights[3]
        even += CosineBlock.eight(block, 32) * weights[4]
        odd += CosineBlock.eight(block, 40) * weights[5]
        even += CosineBlock.eight(block, 48) * weights[6]
        odd += CosineBlock.eight(block, 56) * weights[7]
        let all = even + odd
        for index in down {
          let reachDown = self.down[index]
          let part = all * reachDown.weights
          sums[reachDown.box &* columns &+ reach.box] += Self.sum(part.lowHalf + part.highHalf)
        }
      }
    }
  }

  @inline(__always)
  private static func sum(_ lanes: SIMD4<Float>) -> Float {
    let two = lanes.lowHalf + lanes.highHalf
    return two.x + two.y
  }

  /// The picture made small, of all its sums.
  func plane(_ sums: ContiguousArray<Float>) -> Plane {
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
