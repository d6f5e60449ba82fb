import MienImaging

/// Motion of blocks between two images, and the residual after fitting the motion of one plane.
///
/// Textured blocks of 16 × 16 samples are searched within 12 samples (sum of absolute differences, then parabolic
/// subsample refinement). The motion of a plane between two nearby views is a quadratic function of position with eight
/// parameters (Longuet-Higgins, 1984). They are fitted by least squares three times, each time without the
/// worst-fitting tenth of the blocks.
struct PlaneMotion {
  /// Median block motion, as a fraction of the width.
  var movement: Double
  /// Median residual after subtracting the planar motion, as a fraction of the median block motion.
  var residual: Double

  /// Search range for blocks, in samples.
  static let reach = 12

  private struct Block {
    var x: Double
    var y: Double
    var dx: Double
    var dy: Double
  }

  /// Returns nil if fewer than 24 textured blocks can be matched.
  init?(from first: Plane, to last: Plane) {
    var blocks: [Block] = []
    let reach = Self.reach
    for y in stride(from: reach + 1, to: first.height - 17 - reach, by: 12) {
      for x in stride(from: reach + 1, to: first.width - 17 - reach, by: 12) {
        if let found = Self.match(first, last, x, y, reach) { blocks.append(found) }
      }
    }
    guard blocks.count >= 24 else { return nil }
    let moved = blocks.map { ($0.dx * $0.dx + $0.dy * $0.dy).squareRoot() }.sorted()
    let (width, median) = (Double(first.width), moved[moved.count / 2])
    movement = median / width
    for index in blocks.indices {
      blocks[index].x = blocks[index].x / width - 0.5
      blocks[index].y = blocks[index].y / width - 0.5
    }
    var kept = blocks
    var sortedErrors: [Double] = []
    for _ in 0..<3 {
      guard let motion = Self.fit(kept) else { return nil }
      let errors = kept.map { block in
        let (ex, ey) = Self.error(motion, block)
        return (ex * ex + ey * ey).squareRoot()
      }
      sortedErrors = errors.sorted()
      let limit = sortedErrors[sortedErrors.count * 9 / 10]
      kept = zip(kept, errors).filter { $0.1 <= limit }.map(\.0)
    }
    residual = sortedErrors[sortedErrors.count / 2] / max(median, 0.5)
  }

  private static func match(_ first: Plane, _ last: Plane, _ x: Int, _ y: Int, _ reach: Int) -> Block? {
    let (source, target, width) = (first.samples.span, last.samples.span, first.width)
    var (sum, square) = (0, 0)
    for row in 0..<16 {
      for column in 0..<16 {
        let value = Int(source[(y + row) * width + x + column])
        sum += value
        square += value * value
      }
    }
    guard square - sum * sum / 256 > 256 * 60 else { return nil }
    func distance(_ dx: Int, _ dy: Int) -> Int {
      var sum: Int32 = 0
      for row in 0..<16 {
        let a = source.extracting((y + row) * width + x..<(y + row) * width + x + 16)
        let start = (y + dy + row) * width + x + dx
        let b = target.extracting(start..<start + 16)
        for column in 0..<16 { sum += abs(Int32(a[column]) - Int32(b[column])) }
      }
      return Int(sum)
    }
    var best = (dx: 0, dy: 0, value: Int.max)
    for dy in -reach...reach {
      for dx in -reach...reach {
        let value = distance(dx, dy)
        if value < best.value { best = (dx, dy, value) }
      }
    }
    guard abs(best.dx) < reach, abs(best.dy) < reach, best.value < 256 * 14 else { return nil }
    func shift(_ before: Int, _ after: Int) -> Double {
      let curvature = before - 2 * best.value + after
      return curvature > 0 ? Double(before - after) / Double(2 * curvature) : 0
    }
    return Block(
      x: Double(x + 8), y: Double(y + 8),
      dx: Double(best.dx) + shift(distance(best.dx - 1, best.dy), distance(best.dx + 1, best.dy)),
      dy: Double(best.dy) + shift(distance(best.dx, best.dy - 1), distance(best.dx, best.dy + 1)))
  }

  /// Returns the rows of the design matrix for the motion of a block along x and along y.
  private static func rows(_ block: Block) -> ([Double], [Double]) {
    let (x, y) = (block.x, block.y)
    return ([1, x, y, 0, 0, 0, x * x, x * y], [0, 0, 0, 1, x, y, x * y, y * y])
  }

  private static func error(_ motion: [Double], _ block: Block) -> (Double, Double) {
    let (first, second) = rows(block)
    return (
      block.dx - zip(first, motion).reduce(0) { $0 + $1.0 * $1.1 },
      block.dy - zip(second, motion).reduce(0) { $0 + $1.0 * $1.1 }
    )
  }

  /// Solves the least-squares problem by elimination; returns nil if the blocks do not determine the motion.
  private static func fit(_ blocks: [Block]) -> [Double]? {
    var matrix = [[Double]](repeating: Array(repeating: 0, count: 9), count: 8)
    for block in blocks {
      let (first, second) = rows(block)
      for (row, value) in [(first, block.dx), (second, block.dy)] {
        for i in 0..<8 {
          for j in 0..<8 { matrix[i][j] += row[i] * row[j] }
          matrix[i][8] += row[i] * value
        }
      }
    }
    for pivot in 0..<8 {
      guard let best = (pivot..<8).max(by: { abs(matrix[$0][pivot]) < abs(matrix[$1][pivot]) }),
        abs(matrix[best][pivot]) > 1e-9
      else { return nil }
      matrix.swapAt(pivot, best)
      for row in 0..<8 where row != pivot {
        let factor = matrix[row][pivot] / matrix[pivot][pivot]
        for column in pivot..<9 { matrix[row][column] -= factor * matrix[pivot][column] }
      }
    }
    return (0..<8).map { matrix[$0][8] / matrix[$0][$0] }
  }
}
