public import MienImaging

/// The middle square of an upright image, downscaled and without color: the input of the texture check's network.
///
/// It comes from the downscaled luma that all checks share, so that nothing is decoded a second time.
public struct TextureSquare: Sendable {
  /// Width and height.
  public static let size = 224
  /// Luma 0…255, `size * size` values row by row.
  public let samples: [Float]

  /// Returns nil if the image is too small or too elongated for the texture check.
  public init?(_ image: SampledImage) {
    guard let grid = TileGrid(width: image.width, height: image.height),
      min(image.coarse.width, image.coarse.height) >= grid.size
    else { return nil }
    let stored = Self.averaged(image.coarse)
    guard image.orientation != .upright else {
      samples = stored
      return
    }
    let size = Float(Self.size)
    samples = (0..<stored.count).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: Self.size)
      let place = image.orientation.beforeTurning(x: (Float(column) + 0.5) / size, y: (Float(row) + 0.5) / size)
      return stored[Int(place.y * size) * Self.size + Int(place.x * size)]
    }
  }

  /// Returns the averages of the plane's middle square over boxes, whose sides need not be whole numbers of samples.
  private static func averaged(_ plane: Plane) -> [Float] {
    let side = min(plane.width, plane.height)
    let (left, top) = ((plane.width - side) / 2, (plane.height - side) / 2)
    let boxes = (0..<size).map { box($0, of: side) }
    let source = plane.samples.span
    var lines = [Float](repeating: 0, count: side * size)
    for row in 0..<side {
      let line = source.extracting((top + row) * plane.width + left..<(top + row) * plane.width + left + side)
      for (column, box) in boxes.enumerated() {
        var sum: Float = 0
        for (offset, weight) in box.weights.enumerated() { sum += weight * Float(line[box.first + offset]) }
        lines[row * size + column] = sum
      }
    }
    var samples = [Float](repeating: 0, count: size * size)
    for (row, box) in boxes.enumerated() {
      for (offset, weight) in box.weights.enumerated() {
        let line = (box.first + offset) * size
        for column in 0..<size { samples[row * size + column] += weight * lines[line + column] }
      }
    }
    return samples
  }

  /// Returns the samples under box `number` of a line of `side` samples, with the share of each.
  private static func box(_ number: Int, of side: Int) -> (first: Int, weights: [Float]) {
    // In parts of a sample: a line has `side * size` of them, and a box `side`.
    let (start, end) = (number * side, (number + 1) * side)
    let samples = start / size...(end - 1) / size
    let weights = samples.map { sample in
      Float(min(end, (sample + 1) * size) - max(start, sample * size)) / Float(side)
    }
    return (samples.lowerBound, weights)
  }
}
