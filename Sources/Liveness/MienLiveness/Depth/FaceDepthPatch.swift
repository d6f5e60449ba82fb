import MienCore

/// Face region of a depth map as 3-D points, excluding noise and background.
struct FaceDepthPatch {
  /// Cell of the grid that has depth.
  struct Cell {
    /// Position in the face box, −1…1 from the left and top edges to the right and bottom edges.
    var u: Double
    var v: Double
    /// Position in millimeters in the camera frame: x to the right of the image, y down, z away from the camera.
    var position: SIMD3<Double>

    var radius: Double { (u * u + v * v).squareRoot() }
  }

  let cells: [Cell]
  let validFraction: Double
  let distance: Double

  /// Returns `nil` if too few cells of the face have depth, or if there are too few of them for a fit.
  init?(_ frame: DepthFrame, _ settings: DepthMeasuringSettings) {
    let millimeters = Double(frame.micrometersPerStep) / 1000
    let cellWidth = Double(frame.face.width) * Double(frame.width) / Double(settings.grid)
    let cellHeight = Double(frame.face.height) * Double(frame.height) / Double(settings.grid)
    // Neighbors are a third of a cell apart, but at least one pixel: noise is smaller than that, faces are not.
    let stepX = max(1, Int(cellWidth / 3))
    let stepY = max(1, Int(cellHeight / 3))
    var found: [Cell] = []
    found.reserveCapacity(settings.grid * settings.grid)
    var total = 0
    for row in 0..<settings.grid {
      let v = (Double(row) + 0.5) / Double(settings.grid) * 2 - 1
      let y = (Double(frame.face.y) * Double(frame.height) + (Double(row) + 0.5) * cellHeight).rounded(.down)
      for column in 0..<settings.grid {
        let u = (Double(column) + 0.5) / Double(settings.grid) * 2 - 1
        guard u * u + v * v <= 1 else { continue }
        total += 1
        let x = (Double(frame.face.x) * Double(frame.width) + (Double(column) + 0.5) * cellWidth).rounded(.down)
        guard let depth = Self.median(frame, Int(x), Int(y), stepX, stepY) else { continue }
        let z = depth * millimeters
        let position = SIMD3(
          (x - Double(frame.intrinsics.cx)) * z / Double(frame.intrinsics.fx),
          (y - Double(frame.intrinsics.cy)) * z / Double(frame.intrinsics.fy), z)
        found.append(Cell(u: u, v: v, position: position))
      }
    }
    guard let distance = found.lazy.filter({ $0.radius < 0.4 }).map(\.position.z).quantile(0.5) else { return nil }
    let kept = found.filter { abs($0.position.z - distance) <= settings.depthWindow }
    let validFraction = Double(kept.count) / Double(total)
    guard kept.count >= 100, validFraction >= settings.minimumValidFraction else { return nil }
    self.cells = kept
    self.validFraction = validFraction
    self.distance = distance
  }

  /// Returns the median of the measured samples in a 3×3 neighborhood, or `nil` if fewer than five are measured.
  private static func median(_ frame: DepthFrame, _ x: Int, _ y: Int, _ stepX: Int, _ stepY: Int) -> Double? {
    var values: [UInt16] = []
    values.reserveCapacity(9)
    for dy in -1...1 {
      for dx in -1...1 {
        let column = x + dx * stepX
        let row = y + dy * stepY
        guard column >= 0, column < frame.width, row >= 0, row < frame.height else { continue }
        let sample = frame.samples[row * frame.width + column]
        if sample != 0 { values.append(sample) }
      }
    }
    guard values.count >= 5 else { return nil }
    values.sort()
    return Double(values[values.count / 2])
  }
}

extension Sequence<Double> {
  /// Returns the value below which `share` of the values lie (nearest rank), or `nil` with fewer than eight values.
  func quantile(_ share: Double) -> Double? {
    let ordered = sorted()
    guard ordered.count >= 8 else { return nil }
    return ordered[Swift.min(ordered.count - 1, Int(share * Double(ordered.count)))]
  }
}
