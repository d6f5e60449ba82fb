internal import MienAuthenticity
internal import MienImaging

/// Draws what the checks look at, for people; no check looks at a drawing.
enum SceneDrawings {
  /// Pixels of a drawing's longer edge, at most.
  private static let edge = 512

  /// The drawings that a capture has something for, upright.
  static func frames(of scene: SceneCapture, tiles: [TileMark]) -> [(CaptureDrawing.Kind, Frame)] {
    let drawn: [(CaptureDrawing.Kind, Frame?)] = [
      (.depth, scene.depth.flatMap(depth)), (.spectrum, spectrum(scene.picture.luma)),
      (.tiles, Self.tiles(tiles, over: scene.picture.luma)),
    ]
    return drawn.compactMap { kind, frame in
      guard let frame else { return nil }
      // A spectrum has no top.
      guard kind != .spectrum, scene.picture.orientation != .upright else { return (kind, frame) }
      var upright = Frame()
      frame.stand(upright: scene.picture.orientation, into: &upright)
      return (kind, upright)
    }
  }

  /// Depth in shades from near (light) to far (dark) between the 2nd and the 98th percentile; what was not measured is
  /// blue.
  static func depth(_ depth: SceneDepth) -> Frame? {
    let valid = depth.metres.filter { $0.isFinite && $0 > 0 }.sorted()
    guard let (near, far) = ends(of: valid, share: 0.02) else { return nil }
    let step = max(1, (max(depth.width, depth.height) + edge - 1) / edge)
    let (width, height) = (max(1, depth.width / step), max(1, depth.height / step))
    var frame = Frame(width: width, height: height, filledWith: Pixel(red: 28, green: 44, blue: 92))
    for y in 0..<height {
      for x in 0..<width {
        let metres = depth.metres[y * step * depth.width + x * step]
        guard metres.isFinite, metres > 0 else { continue }
        frame[x, y] = grey(30 + 225 * (far > near ? (far - metres) / (far - near) : 1))
      }
    }
    return frame
  }

  /// The logarithmic power spectrum of the largest square tile in the middle, 512 pixels at most, zero frequency in the
  /// middle; nil for pictures below 64 pixels.
  static func spectrum(_ luma: Plane) -> Frame? {
    var size = edge
    while size > min(luma.width, luma.height) { size /= 2 }
    guard size >= 64 else { return nil }
    var tile = TileSpectrum(size: size)
    tile.measure(luma, x: (luma.width - size) / 2, y: (luma.height - size) / 2)
    let power = tile.logPower
    guard let (low, high) = ends(of: power.sorted(), share: 0.002), high > low else { return nil }
    var frame = Frame(width: size, height: size)
    for y in 0..<size {
      for x in 0..<size {
        let (column, row) = (x - size / 2, y - size / 2)
        // A real picture's spectrum is the same turned by half a turn; -size/2 is no column of its own.
        let turned = column < 0
        let (k, l) = turned ? (min(-column, size / 2 - 1), -row) : (column, row)
        frame[x, y] = grey(255 * (power[(l + size) % size * tile.columns + k] - low) / (high - low))
      }
    }
    return frame
  }

  /// The picture in grey, with the tiles that were measured in colour: from blue (nothing periodic) to red (much).
  static func tiles(_ tiles: [TileMark], over luma: Plane) -> Frame? {
    guard !tiles.isEmpty else { return nil }
    let step = max(1, (max(luma.width, luma.height) + edge - 1) / edge)
    let (width, height) = (luma.width / step, luma.height / step)
    guard width > 0, height > 0 else { return nil }
    var frame = Frame(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { frame[x, y] = grey(Float(luma.samples[y * step * luma.width + x * step])) }
    }
    for tile in tiles {
      // Noise alone has peaks of about 3; the pixel grid of a display easily 6.
      let share = Float(min(max((tile.height - 2.5) / 3.5, 0), 1))
      for y in tile.y / step..<min((tile.y + tile.size) / step, height) {
        for x in tile.x / step..<min((tile.x + tile.size) / step, width) {
          let below = Float(frame[x, y].red) * 0.45
          frame[x, y] = Pixel(
            red: UInt8(below + 140 * share), green: UInt8(below + 60 * (1 - share)),
            blue: UInt8(below + 140 * (1 - share)))
        }
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
