/// Sums of powers down the columns of a block, accumulated row by row.
struct ColumnSums {
  private(set) var squares: [Float] = []
  private(set) var fourths: [Float] = []
  /// Sums of the samples themselves since the last ``takeStructure()``.
  private var plain: [Float] = []

  /// Resets the sums for a block with this number of columns, a multiple of four.
  mutating func clear(_ count: Int) {
    Self.clear(&squares, count)
    Self.clear(&fourths, count)
    Self.clear(&plain, count)
  }

  private static func clear(_ sums: inout [Float], _ count: Int) {
    guard sums.count == count else { return sums = [Float](repeating: 0, count: count) }
    var sums = sums.mutableSpan
    for x in 0..<count { sums[x] = 0 }
  }

  /// Adds a row.
  mutating func add(_ line: Span<Float>) { Self.add(line, &plain, &squares, &fourths) }

  @inline(__always)
  private static func add(
    _ line: Span<Float>, _ plain: inout [Float], _ squares: inout [Float], _ fourths: inout [Float]
  ) {
    let count = plain.count
    let line = line.extracting(0..<count)
    var plain = plain.mutableSpan
    var squares = squares.mutableSpan
    var fourths = fourths.mutableSpan
    for x in 0..<count {
      let power = line[x] * line[x]
      plain[x] += line[x]
      squares[x] += power
      fourths[x] += power * power
    }
  }

  /// Adds the Laplacians of a row between two others, without its ends.
  mutating func addSteps(_ above: Span<Float>, _ line: Span<Float>, _ below: Span<Float>) {
    Self.addSteps(above, line, below, &squares, &fourths)
  }

  @inline(__always)
  private static func addSteps(
    _ above: Span<Float>, _ line: Span<Float>, _ below: Span<Float>, _ squares: inout [Float],
    _ fourths: inout [Float]
  ) {
    let count = squares.count - 2
    let (above, below) = (above.extracting(1..<count + 1), below.extracting(1..<count + 1))
    let (left, middle) = (line.extracting(0..<count), line.extracting(1..<count + 1))
    let right = line.extracting(2..<count + 2)
    var squares = squares.mutableSpan
    var fourths = fourths.mutableSpan
    for x in 0..<count {
      let step = 4 * middle[x] - left[x] - right[x] - above[x] - below[x]
      let power = step * step
      squares[x] += power
      fourths[x] += power * power
    }
  }

  /// Returns the sum of the squared means of cells of four columns by four rows, and resets it.
  mutating func takeStructure() -> Float {
    Self.takeStructure(&plain)
  }

  @inline(__always)
  private static func takeStructure(_ plain: inout [Float]) -> Float {
    var sum: Float = 0
    var plain = plain.mutableSpan
    for cell in 0..<plain.count / 4 {
      let x = 4 * cell
      let mean = (plain[x] + plain[x + 1] + plain[x + 2] + plain[x + 3]) * (1 / 16)
      sum += mean * mean
    }
    for x in plain.indices { plain[x] = 0 }
    return sum
  }

  /// Returns the sum of the squares of these columns, and resets it.
  mutating func takeSquares(_ range: Range<Int>) -> Float {
    var sum: Float = 0
    for x in range {
      sum += squares[x]
      squares[x] = 0
    }
    return sum
  }
}
