import MienImaging

/// Numbers that describe a small picture as a whole: tones, and how its edges run.
enum SceneLayout {
  static let names: [String] = [
    "tone.dark", "tone.middle", "tone.bright", "tone.black", "tone.white", "edges.best", "edges.cross", "edges.spread",
    "edges.tilt", "edges.share",
  ]

  static func measure(_ plane: Plane) -> [Float] {
    let (width, height) = (plane.width, plane.height)
    let samples = plane.samples.span
    var histogram = [Int](repeating: 0, count: 256)
    // Directions of gradients by thirty-sixths of the half turn.
    var directions = [Float](repeating: 0, count: 36)
    var strong = 0
    for y in 1..<height - 1 {
      let above = samples.extracting((y - 1) * width..<y * width)
      let line = samples.extracting(y * width..<(y + 1) * width)
      let below = samples.extracting((y + 1) * width..<(y + 2) * width)
      for x in 1..<width - 1 {
        histogram[Int(line[x])] += 1
        let (gx, gy) = (Int32(line[x + 1]) - Int32(line[x - 1]), Int32(below[x]) - Int32(above[x]))
        let square = gx * gx + gy * gy
        guard square > 400 else { continue }
        strong += 1
        directions[direction(gx, gy)] += Float(square).squareRoot()
      }
    }
    let count = Float((width - 2) * (height - 2))
    func quantile(_ share: Float) -> Float {
      var left = share * count
      for (tone, number) in histogram.enumerated() {
        left -= Float(number)
        if left <= 0 { return Float(tone) / 255 }
      }
      return 1
    }
    let total = directions.reduce(0, +) + 1
    // Both of two directions at right angles, a sixth of a right angle wide.
    var crosses = [Float](repeating: 0, count: 18)
    for start in 0..<18 {
      for offset in -1...1 { crosses[start] += directions[(start + offset + 36) % 36] + directions[(start + offset + 18) % 36] }
      crosses[start] /= total
    }
    let best = crosses.indices.max { crosses[$0] < crosses[$1] }
    let entropy = directions.reduce(Float(0)) { sum, value in
      let share = value / total
      return share > 0 ? sum - share * Logarithm.natural(share) : sum
    }
    let tilt = best.map { Float(min($0, 18 - $0)) / 9 }
    return [
      quantile(0.02), quantile(0.5), quantile(0.98), Float(histogram[..<8].reduce(0, +)) / count,
      Float(histogram[248...].reduce(0, +)) / count, (directions.max() ?? total) / total,
      best.map { crosses[$0] } ?? total / total, entropy, tilt ?? total / total, Float(strong) / count,
    ]
  }

  /// Which of 36 directions of the half turn, the first centred on a gradient along the rows.
  private static func direction(_ x: Int32, _ y: Int32) -> Int {
    let (fx, fy) = y < 0 || (y == 0 && x < 0) ? (Float(-x), Float(-y)) : (Float(x), Float(y))
    // The direction in quarter turns by the diamond angle, whose error stays below half a sector.
    let turn = fx >= 0 ? fy / (fx + fy) : 1 - fx / (fy - fx)
    return Int((turn * 18).rounded()) % 36
  }
}
