/// Symmetric, positive definite matrix in skyline storage: each row starts at its first nonzero column, as in pose
/// graph equations.
///
/// The Cholesky factor has no fill-in to the left of a row's start, so a chain with few loops needs little memory
/// (Jennings, "A compact storage scheme for the solution of symmetric linear simultaneous equations", 1966).
struct SkylineMatrix {
  /// First stored column of each row.
  private let first: [Int]
  /// Offset of each row in `values`; the last element is their count.
  private let starts: [Int]
  private var values: ContiguousArray<Double>

  /// - Parameter first: first column of each row, at most the row's own index.
  init(first: [Int]) {
    self.first = first
    var starts = [0]
    for (row, column) in first.enumerated() { starts.append(starts[row] + row - column + 1) }
    self.starts = starts
    values = ContiguousArray(repeating: 0, count: starts[first.count])
  }

  /// Adds to an element of the lower triangle.
  mutating func add(_ value: Double, row: Int, column: Int) { values[starts[row] + column - first[row]] += value }

  /// Solves matrix · x = right; returns nil if the matrix is not positive definite. The matrix is replaced by its
  /// factor.
  mutating func solve(_ right: ContiguousArray<Double>) -> ContiguousArray<Double>? {
    var x = right
    for row in first.indices {
      let (begin, base) = (first[row], starts[row] - first[row])
      for column in begin..<row {
        let (other, otherBase) = (max(begin, first[column]), starts[column] - first[column])
        var sum = values[base + column]
        for k in other..<max(column, other) { sum -= values[base + k] * values[otherBase + k] }
        values[base + column] = sum / values[otherBase + column]
      }
      let diagonal = values[base + row]
      var sum = diagonal
      for k in begin..<row {
        sum -= values[base + k] * values[base + k]
        x[row] -= values[base + k] * x[k]
      }
      guard sum > 1e-12 * diagonal else { return nil }
      values[base + row] = sum.squareRoot()
      x[row] /= values[base + row]
    }
    for row in first.indices.reversed() {
      let base = starts[row] - first[row]
      x[row] /= values[base + row]
      for k in first[row]..<row { x[k] -= values[base + k] * x[row] }
    }
    return x
  }
}
