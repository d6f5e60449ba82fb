internal import MienAuthenticity
internal import MienImaging

/// Draws what the checks evaluate, for people; no check uses a visualization.
enum AnalysisVisualizer {
  /// Maximum length of a visualization's longer edge, in pixels.
  private static let edge = 512

  /// Returns the visualizations that the capture has data for, upright. `parts` are the results of its analysis, if there was
  /// one.
  static func frames(of scene: CaptureInput, from parts: [CaptureAnalyzer.Part] = []) -> [(
    CaptureVisualization.Kind, Frame
  )] {
    let visualizations = CaptureAnalyzer().visualizations(scene.image, from: parts)
    let drawn: [(CaptureVisualization.Kind, Frame?)] = [
      (.depth, scene.depth.flatMap(depth)), (.spectrum, visualizations?.spectrum), (.tiles, visualizations?.tiles),
    ]
    return drawn.compactMap { kind, frame in
      guard let frame else { return nil }
      // A spectrum has no orientation.
      guard kind != .spectrum, scene.image.orientation != .upright else { return (kind, frame) }
      var upright = Frame()
      frame.stand(upright: scene.image.orientation, into: &upright)
      return (kind, upright)
    }
  }

  /// Draws depth in shades from near (light) to far (dark) between the 2nd and the 98th percentile; pixels without a
  /// measurement are blue.
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
        frame[x, y] = gray(30 + 225 * (far > near ? (far - meters) / (far - near) : 1))
      }
    }
    return frame
  }

  /// Returns the values at the given share of sorted values from either end.
  private static func ends(of sorted: some RandomAccessCollection<Float>, share: Double) -> (Float, Float)? {
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let skipped = Int(Double(sorted.count) * share)
    guard sorted.count > 2 * skipped else { return (first, last) }
    return (
      sorted[sorted.index(sorted.startIndex, offsetBy: skipped)],
      sorted[sorted.index(sorted.endIndex, offsetBy: -1 - skipped)]
    )
  }

  private static func gray(_ value: Float) -> Pixel {
    let shade = UInt8(min(max(value, 0), 255))
    return Pixel(red: shade, green: shade, blue: shade)
  }
}
