/// The order in which a map's rows are coded: the middle row first, then one above and one below it at a time.
///
/// Each row is predicted from its neighbour towards the middle. Two rows that do not depend on each other go side by side
/// on the two lanes of ``ContextCoder``.
struct RowOrder: Sendable {
  let height: Int
  var middle: Int { height / 2 }
  /// How many steps there are after the middle row.
  var steps: Int { max(middle, height - 1 - middle) }

  /// The upper and the lower row of a step 1…`steps`; the last step may lack one.
  func rows(of step: Int) -> (upper: Int?, lower: Int?) {
    (middle - step >= 0 ? middle - step : nil, middle + step < height ? middle + step : nil)
  }

  /// The neighbour that a row is predicted from.
  func source(of row: Int) -> Int? { row == middle ? nil : row < middle ? row + 1 : row - 1 }
}
