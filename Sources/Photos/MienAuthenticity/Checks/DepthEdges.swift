import MienImaging

/// Measures how well depth discontinuities coincide with image edges.
enum DepthEdges {
  /// Returns the share of depth discontinuities (8 % or more) that have an image edge of 12 levels or more within one
  /// sample; nil with fewer than 32 discontinuities.
  ///
  /// - Parameter luma: downscaled luma of the whole image.
  static func agreement(_ depth: CaptureDepthMap, _ luma: Plane) -> Double? {
    let (width, height) = (min(depth.width, 160), min(depth.height, 160))
    guard width >= 8, height >= 8 else { return nil }
    func z(_ x: Int, _ y: Int) -> Float {
      depth.meters[y * depth.height / height * depth.width + x * depth.width / width]
    }
    func light(_ x: Int, _ y: Int) -> Int {
      Int(luma.samples[y * luma.height / height * luma.width + x * luma.width / width])
    }
    func isEdge(_ x: Int, _ y: Int) -> Bool {
      abs(light(x + 1, y) - light(x - 1, y)) >= 12 || abs(light(x, y + 1) - light(x, y - 1)) >= 12
    }
    func isStep(_ a: Float, _ b: Float) -> Bool { a > 0.01 && b > 0.01 && abs(a - b) > 0.08 * min(a, b) }
    var (steps, agreeing) = (0, 0)
    for y in 2..<height - 2 {
      for x in 2..<width - 2 where isStep(z(x, y), z(x + 1, y)) || isStep(z(x, y), z(x, y + 1)) {
        steps += 1
        if (-1...1).contains(where: { dy in (-1...1).contains { isEdge(x + $0, y + dy) } }) { agreeing += 1 }
      }
    }
    return steps >= 32 ? Double(agreeing) / Double(steps) : nil
  }
}
