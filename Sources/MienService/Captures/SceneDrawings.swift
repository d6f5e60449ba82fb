internal import MienAuthenticity
internal import MienImaging

/// Draws what the checks look at, for people.
enum SceneDrawings {
  /// The drawings that a capture has something for.
  static func frames(of scene: SceneCapture) -> [(CaptureDrawing.Kind, Frame)] {
    var frames: [(CaptureDrawing.Kind, Frame)] = []
    if let depth = scene.depth, let frame = depthFrame(depth) { frames.append((.depth, frame)) }
    return frames
  }

  /// Depth in shades from near (light) to far (dark) between the 2nd and the 98th percentile; what was not measured is
  /// blue. At most 512 pixels an edge.
  static func depthFrame(_ depth: SceneDepth) -> Frame? {
    let valid = depth.metres.filter { $0.isFinite && $0 > 0 }.sorted()
    guard let first = valid.first, let last = valid.last else { return nil }
    let near = valid.count < 50 ? first : valid[valid.count / 50]
    let far = valid.count < 50 ? last : valid[valid.count - 1 - valid.count / 50]
    let step = max(1, (max(depth.width, depth.height) + 511) / 512)
    let (width, height) = (max(1, depth.width / step), max(1, depth.height / step))
    var frame = Frame(width: width, height: height, filledWith: Pixel(red: 28, green: 44, blue: 92))
    for y in 0..<height {
      for x in 0..<width {
        let metres = depth.metres[y * step * depth.width + x * step]
        guard metres.isFinite, metres > 0 else { continue }
        let share = far > near ? min(max((far - metres) / (far - near), 0), 1) : 1
        let shade = UInt8(30 + share * 225)
        frame[x, y] = Pixel(red: shade, green: shade, blue: shade)
      }
    }
    return frame
  }
}
