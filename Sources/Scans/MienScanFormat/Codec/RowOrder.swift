/// Coding order of a map's rows: the middle row first, then one above and one below it at a time.
///
/// Each row is predicted from its neighbor towards the middle. Two rows that do not depend on each other are coded in
/// parallel by the two streams of ``ContextCoder``.
struct RowOrder: Sendable {
  let height: Int
  var middle: Int { height / 2 }
  /// Number of steps after the middle row.
  var steps: Int { max(middle, height - 1 - middle) }

  /// Returns the upper and the lower row of a step 1…`steps`; the last step may lack one of them.
  func rows(of step: Int) -> (upper: Int?, lower: Int?) {
    (middle - step >= 0 ? middle - step : nil, middle + step < height ? middle + step : nil)
  }

  /// Returns the neighbor from which a row is predicted.
  func source(of row: Int) -> Int? { row == middle ? nil : row < middle ? row + 1 : row - 1 }
}
