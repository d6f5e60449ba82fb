internal import MienAuthenticity
internal import MienImaging

/// Draws what the checks look at, for people; no check looks at a drawing.
enum AnalysisVisualizer {
  /// Pixels of a drawing's longer edge, at most.
  private static let edge = 512

  /// The drawings that a capture has something for, upright; `parts` are what its analysis brought, if there was one.
  static func frames(of scene: CaptureInput, from parts: [CaptureAnalyzer.Part] = []) -> [(
    CaptureVisualization.Kind, Frame
  )] {
    let exhibits = CaptureAnalyzer().exhibits(scene.image, from: parts)
    let drawn: [(CaptureVisualization.Kind, Frame?)] = [
      (.depth, scene.depth.flatMap(depth)), (.spectrum, exhibits?.spectrum), (.tiles, exhibits?.tiles),
    ]
    return drawn.compactMap { kind, frame in
      guard let frame else { return nil }
      // A spectrum has no top.
      guard kind != .spectrum, scene.image.orientation != .upright else { return (kind, frame) }
      var upright = Frame()
      frame.stand(upright: scene.image.orientation, into: &upright)
      return (kind, upright)
    }
  }

  /// Depth in shades from near (light) to far (dark) between the 2nd and the 98th percentile; what was not measured is
  /// blue.
  static func depth(_ depth: CaptureDepthMap) -> Frame? {
    let valid = depth.meters.filter { $0.isFinite && $0 > 0 }.sorted()
    guard let (near, far) = ends(of: valid, share: 0.02) else { return nil }
    let step = max(1, (max(depth.width, depth.height) + edge - 1) / edge)
    let (width, height) = (max(1, depth.width / step), max(1, depth.height / step))
    var frame = Frame(width: width, height: height, filledWith: Pixel(red: 28, green: 44, blue: 92))
    for y in 0..<height {
      for x in 0..<width {
        let meters = depth.meters[y * step * depth.width + x * step]
        guard meters.isFinite, meters > 0 else { continue }
        frame[x, y] = grey(30 + 225 * (far > near ? (far - meters) / (far - near) : 1))
      }
    }
    return frame
  }

  /// The values that a share of sorted values lies below and above.
  private static func ends(of sorted: some RandomAccessCollection<Float>, share: Double) -> (Float, Float)? {
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let skipped = Int(Double(sorted.count) * share)
    guard sorted.count > 2 * skipped else { return (first, last) }
    return (
      sorted[sorted.index(sorted.startIndex, offsetBy: skipped)],
      sorted[sorted.index(sorted.endIndex, offsetBy: -1 - skipped)]
    )
  }

  private static func grey(_ value: Float) -> Pixel {
    let shade = UInt8(min(max(value, 0), 255))
    return Pixel(red: shade, green: shade, blue: shade)
  }
}
