import MienImaging

/// Colors of a part of a frame, averaged over a grid of 16 × 16 cells.
struct ColorCells: Sendable {
  static let names: [String] = [
    "blue", "red", "blue.spread", "red.spread", "saturation", "saturation.most", "bright.blue", "bright.red",
    "dark.blue", "dark.red",
  ]
  private static let side = 16

  /// Per cell: blue and red differences from luma, and luma, 0…255.
  private(set) var cells: [SIMD3<Float>] = []

  /// Samples at most 16 pixels of each cell.
  init(_ frame: Frame, _ rect: PixelRect) {
    let pixels = frame.pixels.span
    cells.reserveCapacity(Self.side * Self.side)
    for row in 0..<Self.side {
      let rows = Self.places(row, rect.y, rect.height)
      for column in 0..<Self.side {
        let columns = Self.places(column, rect.x, rect.width)
        var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
        for y in rows {
          for x in columns {
            let pixel = pixels[y * frame.width + x]
            red += UInt32(pixel.red)
            green += UInt32(pixel.green)
            blue += UInt32(pixel.blue)
          }
        }
        let count = Float(rows.count * columns.count)
        let (r, g, b) = (Float(red) / count, Float(green) / count, Float(blue) / count)
        let luma = 0.299 * r + 0.587 * g + 0.114 * b
        cells.append(SIMD3(b - luma, r - luma, luma))
      }
    }
  }

  /// Returns up to four evenly spaced positions in one of sixteen cells.
  private static func places(_ cell: Int, _ start: Int, _ length: Int) -> [Int] {
    let (from, to) = (cell * length / side, max((cell + 1) * length / side, cell * length / side + 1))
    let step = max(1, (to - from) / 4)
    return stride(from: from, to: to, by: step).prefix(4).map { start + min($0, length - 1) }
  }

  /// Mean and spread of the color differences, saturation, and the color of the brightest and darkest quarter.
  var values: [Float] {
    let count = Float(cells.count)
    let mean = cells.reduce(SIMD3<Float>.zero, +) / count
    let spread = cells.reduce(SIMD3<Float>.zero) { $0 + ($1 - mean) * ($1 - mean) } / count
    let saturations = cells.map { (($0.x * $0.x + $0.y * $0.y).squareRoot()) / ($0.z + 16) }.sorted()
    let order = cells.sorted { $0.z < $1.z }
    let quarter = cells.count / 4
    let dark = order.prefix(quarter).reduce(SIMD3<Float>.zero, +) / Float(quarter)
    let bright = order.suffix(quarter).reduce(SIMD3<Float>.zero, +) / Float(quarter)
    return [
      mean.x, mean.y, spread.x.squareRoot(), spread.y.squareRoot(), saturations[saturations.count / 2],
      saturations[saturations.count * 9 / 10], bright.x, bright.y, dark.x, dark.y,
    ]
  }
}
