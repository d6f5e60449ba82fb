import MienCore

/// The face region of a depth map as points in space, specks and background left out.
struct FaceDepthPatch {
  /// One cell of the grid that has a depth.
  struct Cell {
    /// Where it is in the face box, −1…1 from the left and the top edge to the right and the bottom one.
    var u: Double
    var v: Double
    /// Millimetres in the camera's frame: x to the picture's right, y down, z away from the camera.
    var position: SIMD3<Double>

    var radius: Double { (u * u + v * v).squareRoot() }
  }

  let cells: [Cell]
  let validFraction: Double
  let distance: Double

  /// nil when too few cells of the face have a depth, or their number is too small for any fit.
  init?(_ frame: DepthFrame, _ settings: DepthMeasuringSettings) {
    let millimeters = Double(frame.micrometersPerStep) / 1000
    let cellWidth = Double(frame.face.width) * Double(frame.width) / Double(settings.grid)
    let cellHeight = Double(frame.face.height) * Double(frame.height) / Double(settings.grid)
    // Neighbours a third of a cell apart, but at least one pixel: specks are smaller than that, faces are not.
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

  /// The median of the measured samples among 3×3 around a place; nil when fewer than five are measured.
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
  /// The value below which `share` of the values lie (nearest rank); nil with fewer than eight values.
  func quantile(_ share: Double) -> Double? {
    let ordered = sorted()
    guard ordered.count >= 8 else { return nil }
    return ordered[Swift.min(ordered.count - 1, Int(share * Double(ordered.count)))]
  }
}
