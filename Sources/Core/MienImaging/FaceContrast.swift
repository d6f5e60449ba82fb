public import MienCore

extension Frame {
  /// Measures the contrast of the eyes and the mouth; `nil` if the eyes are less than 32 pixels apart, which is too few
  /// for a reliable measure.
  ///
  /// The luma is averaged over squares of ¹⁄₂₄ of the distance between the eyes, on grids aligned with the eyes: 16 × 10 squares around
  /// each eye, 18 × 12 around the mouth.
  ///
  /// - Parameter landmarks: fractions of this image, as returned by the tracker.
  public func contrast(at landmarks: Landmarks) -> FaceContrast? {
    let size = SIMD2(Float(width), Float(height))
    func place(_ index: Int) -> SIMD2<Float> {
      SIMD2(landmarks.points[index].x, landmarks.points[index].y) * size
    }
    func middle(_ first: Int, _ second: Int) -> SIMD2<Float> { (place(first) + place(second)) / 2 }
    let (right, left) = (middle(33, 133), middle(263, 362))
    let across = left - right
    let distance = (across * across).sum().squareRoot()
    guard distance >= 32, distance < 100_000 else { return nil }
    let step = across / 24
    let sampler = ToneSampler(frame: self, side: max(1, Int((distance / 24).rounded())))
    let skin = max(Self.median([50, 280, 151, 205, 425].map { sampler.tone(at: place($0)).luma }), 20)
    let eyes = [right, left].map { sampler.gradients(around: $0, step: step, columns: 16, rows: 10).mean / skin }
    let mouth = sampler.gradients(around: middle(0, 17), step: step, columns: 18, rows: 12)
    let lips = [(0, 13), (37, 82), (267, 312), (17, 14), (84, 87), (314, 317)]
      .map { sampler.tone(at: middle($0.0, $0.1)).redness }
    let around = [164, 200, 216, 436, 212, 432].map { sampler.tone(at: place($0)).redness }
    return FaceContrast(
      eyes: max(eyes[0], eyes[1]), mouth: mouth.mean / skin, acrossMouth: mouth.across / skin,
      lipRedness: lips.reduce(0, +) / Float(lips.count) - around.reduce(0, +) / Float(around.count))
  }

  private static func median(_ values: [Float]) -> Float { values.sorted()[values.count / 2] }
}

/// Reads the mean color of small squares of a frame.
private struct ToneSampler {
  struct Tone {
    var luma: Float
    /// Chroma Cr.
    var redness: Float
  }

  let frame: Frame
  /// Width and height of a square in pixels.
  let side: Int

  /// Returns the mean of the square around a position; the nearest one inside the image if it lies outside.
  func tone(at point: SIMD2<Float>) -> Tone {
    let column = Self.range(around: point.x, side, within: frame.width)
    let row = Self.range(around: point.y, side, within: frame.height)
    let span = frame.pixels.span
    var (red, green, blue) = (0, 0, 0)
    for y in row {
      let line = span.extracting(y * frame.width..<(y + 1) * frame.width)
      for x in column {
        let pixel = line[x]
        red += Int(pixel.red)
        green += Int(pixel.green)
        blue += Int(pixel.blue)
      }
    }
    let mean = SIMD3(Float(red), Float(green), Float(blue)) / Float(column.count * row.count)
    return Tone(
      luma: (mean * SIMD3(0.299, 0.587, 0.114)).sum(), redness: (mean * SIMD3(0.5, -0.4187, -0.0813)).sum())
  }

  private static func range(around center: Float, _ side: Int, within size: Int) -> Range<Int> {
    let middle = Int(min(max(center.rounded(), 0), Float(size - 1)))
    let first = min(max(middle - side / 2, 0), max(size - side, 0))
    return first..<min(first + side, size)
  }

  /// Returns the mean gradient of the luma on a grid, and that along its columns.
  func gradients(around center: SIMD2<Float>, step: SIMD2<Float>, columns: Int, rows: Int) -> (
    mean: Float, across: Float
  ) {
    let down = SIMD2(-step.y, step.x)
    var grid = [Float](repeating: 0, count: columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let (x, y) = (Float(column) - Float(columns - 1) / 2, Float(row) - Float(rows - 1) / 2)
        grid[row * columns + column] = tone(at: center + step * x + down * y).luma
      }
    }
    var (mean, across) = (Float(0), Float(0))
    for row in 1..<rows - 1 {
      for column in 1..<columns - 1 {
        let index = row * columns + column
        let along = abs(grid[index + 1] - grid[index - 1]) / 2
        let vertical = abs(grid[index + columns] - grid[index - columns]) / 2
        mean += (along * along + vertical * vertical).squareRoot()
        across += vertical
      }
    }
    let count = Float((rows - 2) * (columns - 2))
    return (mean / count, across / count)
  }
}
