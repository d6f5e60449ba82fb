/// Prominence of spectrum bins over their surroundings, computed row by row.
///
/// Compares a bin's 3 × 3 mean with the mean of the 15 × 15 box around it (narrower at the left and right edge; rows
/// wrap around). Column sums of the box are carried from row to row; row sums are composed of partial sums. Every step
/// is a plain loop over rows of one length, which the compiler can vectorize.
struct SpectralPeakProminence {
  /// Per column: 3 × 3 mean minus box mean; −∞ where peaks are excluded.
  private(set) var rises: ContiguousArray<Float>
  /// The same in standard deviations of the box.
  private(set) var heights: ContiguousArray<Float>

  private let size: Int
  private let columns: Int
  /// Column sums of values and of squares over the box, padded with seven columns of zeros on either side.
  private var values: ContiguousArray<Float>
  private var squares: ContiguousArray<Float>
  /// Sums of two, four and eight adjacent column sums.
  private var pairs: ContiguousArray<Float>
  private var fours: ContiguousArray<Float>
  private var eights: ContiguousArray<Float>
  /// Means of the boxes, and of the squares in them.
  private var means: ContiguousArray<Float>
  private var boxes: ContiguousArray<Float>
  /// Sums of three rows, padded with one column of zeros on either side.
  private var threes: ContiguousArray<Float>
  /// Reciprocal of the number of bins in the box.
  private let reciprocals: ContiguousArray<Float>

  private static let reach = 7

  /// - Precondition: `size` is at least 16.
  init(size: Int) {
    precondition(size >= 16, "a box has to fit into the spectrum")
    self.size = size
    let columns = size / 2
    self.columns = columns
    rises = ContiguousArray(repeating: 0, count: columns)
    heights = rises
    means = rises
    boxes = rises
    values = ContiguousArray(repeating: 0, count: columns + 2 * Self.reach)
    squares = values
    pairs = values
    fours = values
    eights = values
    threes = ContiguousArray(repeating: 0, count: columns + 2)
    reciprocals = ContiguousArray(
      (0..<columns).map { 1 / Float(15 * (min($0 + Self.reach, columns - 1) - max($0 - Self.reach, 0) + 1)) })
  }

  /// Initializes the sums for the row before the first.
  mutating func start(_ logPower: Span<Float>) {
    for column in 0..<columns {
      var (sum, square): (Float, Float) = (0, 0)
      for row in -Self.reach - 1..<Self.reach {
        let value = logPower[(row + size) % size * columns + column]
        sum += value
        square += value * value
      }
      values[Self.reach + column] = sum
      squares[Self.reach + column] = square
    }
  }

  /// Advances to `row`, the one after the previous; `mask` holds −∞ for bins where peaks are excluded and 0 elsewhere.
  mutating func advance(to row: Int, _ logPower: Span<Float>, mask: Span<Float>) {
    let (size, columns) = (self.size, self.columns)
    func line(_ row: Int) -> Range<Int> {
      let start = (row + size) % size * columns
      return start..<start + columns
    }
    Self.exchange(
      logPower.extracting(line(row + Self.reach)), logPower.extracting(line(row - Self.reach - 1)), &values, &squares,
      count: columns)
    // Local references, so that `across(_:)` can write other members during the read.
    do {
      let values = values
      across(values.span)
      swap(&means, &boxes)
      let squares = squares
      across(squares.span)
    }
    Self.add(
      logPower.extracting(line(row - 1)), logPower.extracting(line(row)), logPower.extracting(line(row + 1)),
      into: &threes, count: columns)
    let (threes, means, boxes) = (threes, means, boxes)
    Self.computeProminence(
      threes.span, means: means.span, squares: boxes.span, mask.extracting(line(row)), rises: &rises,
      heights: &heights, count: columns)
  }

  @inline(__always)
  private static func exchange(
    _ enters: Span<Float>, _ leaves: Span<Float>, _ values: inout ContiguousArray<Float>,
    _ squares: inout ContiguousArray<Float>, count: Int
  ) {
    var values = values.mutableSpan
    var squares = squares.mutableSpan
    var value = values._mutatingExtracting(reach..<reach + count)
    var square = squares._mutatingExtracting(reach..<reach + count)
    for column in 0..<count {
      let (new, old) = (enters[column], leaves[column])
      value[column] += new - old
      square[column] += new * new - old * old
    }
  }

  @inline(__always)
  private static func add(
    _ above: Span<Float>, _ here: Span<Float>, _ below: Span<Float>, into threes: inout ContiguousArray<Float>,
    count: Int
  ) {
    var threes = threes.mutableSpan
    var three = threes._mutatingExtracting(1..<1 + count)
    for column in 0..<count { three[column] = above[column] + here[column] + below[column] }
  }

  /// Writes sums of fifteen adjacent values, times their reciprocal count, into ``boxes``.
  private mutating func across(_ sums: Span<Float>) {
    let wide = columns + 2 * Self.reach
    Self.add(sums, sums, apart: 1, into: &pairs, count: wide - 1)
    let pairs = pairs
    Self.add(pairs.span, pairs.span, apart: 2, into: &fours, count: wide - 3)
    let fours = fours
    Self.add(fours.span, fours.span, apart: 4, into: &eights, count: wide - 7)
    let (eights, reciprocals) = (eights, reciprocals)
    Self.box(
      eights.span, fours.span.extracting(8...), pairs.span.extracting(12...), sums.extracting(14...), reciprocals.span,
      into: &boxes, count: columns)
  }

  @inline(__always)
  private static func add(
    _ first: Span<Float>, _ second: Span<Float>, apart: Int, into target: inout ContiguousArray<Float>, count: Int
  ) {
    var target = target.mutableSpan
    var out = target._mutatingExtracting(0..<count)
    let (first, second) = (first.extracting(0..<count), second.extracting(apart..<apart + count))
    for index in 0..<count { out[index] = first[index] + second[index] }
  }

  @inline(__always)
  private static func box(
    _ eights: Span<Float>, _ fours: Span<Float>, _ pairs: Span<Float>, _ ones: Span<Float>, _ reciprocals: Span<Float>,
    into target: inout ContiguousArray<Float>, count: Int
  ) {
    var target = target.mutableSpan
    var out = target._mutatingExtracting(0..<count)
    let (eights, fours) = (eights.extracting(0..<count), fours.extracting(0..<count))
    let (pairs, ones, reciprocals) = (
      pairs.extracting(0..<count), ones.extracting(0..<count), reciprocals.extracting(0..<count)
    )
    for index in 0..<count {
      out[index] = (eights[index] + fours[index] + pairs[index] + ones[index]) * reciprocals[index]
    }
  }

  @inline(__always)
  private static func computeProminence(
    _ threes: Span<Float>, means: Span<Float>, squares: Span<Float>, _ mask: Span<Float>,
    rises: inout ContiguousArray<Float>, heights: inout ContiguousArray<Float>, count: Int
  ) {
    let (left, middle) = (threes.extracting(0..<count), threes.extracting(1..<count + 1))
    let right = threes.extracting(2..<count + 2)
    let (means, squares) = (means.extracting(0..<count), squares.extracting(0..<count))
    var rises = rises.mutableSpan
    var heights = heights.mutableSpan
    var rise = rises._mutatingExtracting(0..<count)
    var height = heights._mutatingExtracting(0..<count)
    for column in 0..<count {
      let mean = means[column]
      let variance = squares[column] - mean * mean
      let above = (left[column] + middle[column] + right[column]) * (1 / 9) - mean + mask[column]
      rise[column] = above
      // Limits the variance from below: in constant regions, rounding errors would appear as peaks.
      height[column] = above / (variance > 0.05 ? variance : 0.05).squareRoot()
    }
  }
}
