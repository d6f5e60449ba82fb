import MienImaging
internal import RealModule

/// Measures how dark the border of a downscaled image is relative to its center.
///
/// A screen is bright and its surroundings are not; seen at an angle, one side is darker. Ordinary scenes have no such
/// border.
enum BorderLight {
  static let names: [String] = ["side0", "side1", "side2", "side3", "corner0", "corner1", "bulge", "bulge.least"]
    .map { "rim.\($0)" }

  /// Returns the four sides and the two darkest corners, darkest first, minus the center and divided by the mean; then
  /// the curvature of logarithmic luma along both axes combined, and along the axis with the stronger downward
  /// curvature. The shorter side must be at least 64 samples.
  static func measure(_ plane: Plane) -> [Float] {
    let block = max(4, min(plane.width, plane.height) / 16)
    let (columns, rows) = (plane.width / block, plane.height / block)
    let cells = means(plane, block, columns, rows)
    func mean(_ xs: Range<Int>, _ ys: Range<Int>) -> Float {
      let sum = ys.reduce(Float(0)) { sum, y in xs.reduce(sum) { $0 + cells[y * columns + $1] } }
      return sum / Float(xs.count * ys.count)
    }
    let whole = mean(0..<columns, 0..<rows)
    let middle = mean(columns / 4..<columns - columns / 4, rows / 4..<rows - rows / 4)
    let sides = [
      mean(0..<columns, 0..<1), mean(0..<columns, rows - 1..<rows), mean(0..<1, 0..<rows),
      mean(columns - 1..<columns, 0..<rows),
    ]
    let corners = [
      mean(0..<2, 0..<2), mean(columns - 2..<columns, 0..<2), mean(0..<2, rows - 2..<rows),
      mean(columns - 2..<columns, rows - 2..<rows),
    ]
    return (sides.sorted() + corners.sorted().prefix(2)).map { ($0 - middle) / (whole + 10) }
      + curvatures(cells, columns, rows)
  }

  private static func means(_ plane: Plane, _ block: Int, _ columns: Int, _ rows: Int) -> [Float] {
    var cells = [Float](repeating: 0, count: columns * rows)
    let samples = plane.samples.span
    for y in 0..<rows * block {
      let line = samples.extracting(y * plane.width..<(y + 1) * plane.width)
      for column in 0..<columns {
        var sum: Int32 = 0
        for x in column * block..<(column + 1) * block { sum += Int32(line[x]) }
        cells[y / block * columns + column] += Float(sum)
      }
    }
    return cells.map { $0 / Float(block * block) }
  }

  /// Returns the second-degree coefficients of the least-squares surface through the logarithms; all basis functions
  /// are orthogonal.
  private static func curvatures(_ cells: [Float], _ columns: Int, _ rows: Int) -> [Float] {
    func squares(_ count: Int) -> [Float] {
      let powers = (0..<count).map { index in
        let place = Float(index) / Float(count - 1) * 2 - 1
        return place * place
      }
      let mean = powers.reduce(0, +) / Float(count)
      return powers.map { $0 - mean }
    }
    let (across, down) = (squares(columns), squares(rows))
    var (curvatureAcross, curvatureDown): (Float, Float) = (0, 0)
    for y in 0..<rows {
      for x in 0..<columns {
        let light = Float.log(cells[y * columns + x] + 10)
        curvatureAcross += light * across[x]
        curvatureDown += light * down[y]
      }
    }
    curvatureAcross /= Float(rows) * across.reduce(0) { $0 + $1 * $1 }
    curvatureDown /= Float(columns) * down.reduce(0) { $0 + $1 * $1 }
    return [curvatureAcross + curvatureDown, min(curvatureAcross, curvatureDown)]
  }
}
