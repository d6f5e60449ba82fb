/// How pixel values become model input: `value * scale + bias`.
public struct PixelScaling: Hashable, Sendable {
  public var scale: Float
  public var bias: Float

  public init(scale: Float, bias: Float) {
    self.scale = scale
    self.bias = bias
  }

  /// 0…255 onto 0…1.
  public static let zeroToOne = PixelScaling(scale: 1 / 255, bias: 0)
  /// 0…255 onto −1…1.
  public static let minusOneToOne = PixelScaling(scale: 2 / 255, bias: -1)
}

extension Frame {
  /// Samples a turned square into a tensor of 3 × `size` × `size` floats (red, green and blue plane), bilinearly.
  ///
  /// The tensor's first element lies on the square's corner, without a half-pixel offset: so OpenCV's
  /// `warpPerspective` of the four corners does it, which the face models were made for. `output` must hold
  /// `3 * size * size` floats, the square must be plausible and the frame must not be empty.
  public func resample(
    _ square: RotatedSquare, size: Int, scaling: PixelScaling, border: Border, into output: inout MutableSpan<Float>
  ) {
    precondition(output.count == 3 * size * size, "the tensor does not have this size")
    precondition(width > 0 && height > 0, "the frame is empty")
    precondition(square.isPlausible, "the square is not plausible")
    let walk = GridWalk(square, size: size)
    let pixels = pixels.span
    var neighbours = RowOfNeighbours(columns: size)
    for row in 0..<size {
      let start = walk.start(ofRow: row)
      let inside = walk.columnsInside(from: start, width: width, height: height)
      sampleEdge(pixels, start, walk, columns: 0..<inside.lowerBound, scaling, border, into: &output, row: row)
      neighbours.fetch(pixels, width: width, start, walk, columns: inside)
      for channel in 0..<3 {
        let first = (channel * size + row) * size + inside.lowerBound
        var part = output._mutatingExtracting(first..<first + inside.count)
        neighbours.mix(channel: channel, scaling, into: &part)
      }
      sampleEdge(pixels, start, walk, columns: inside.upperBound..<size, scaling, border, into: &output, row: row)
    }
  }

  /// The columns near or beyond the picture's edge.
  @inline(never)
  private func sampleEdge(
    _ pixels: borrowing Span<Pixel>, _ start: FixedPoint, _ walk: GridWalk, columns: Range<Int>,
    _ scaling: PixelScaling, _ border: Border, into output: inout MutableSpan<Float>, row: Int
  ) {
    for column in columns {
      let x = start.x + walk.column.x * column
      let y = start.y + walk.column.y * column
      let (left, top) = (FixedPoint.whole(x), FixedPoint.whole(y))
      let (u, v) = (FixedPoint.fraction(x), FixedPoint.fraction(y))
      let value: SIMD3<Float> =
        (sample(pixels, left, top, border) * (1 - u) + sample(pixels, left + 1, top, border) * u) * (1 - v)
        + (sample(pixels, left, top + 1, border) * (1 - u) + sample(pixels, left + 1, top + 1, border) * u) * v
      for channel in 0..<3 {
        output[channel * walk.size * walk.size + row * walk.size + column] =
          value[channel] * scaling.scale + scaling.bias
      }
    }
  }

  private func sample(_ pixels: borrowing Span<Pixel>, _ x: Int, _ y: Int, _ border: Border) -> SIMD3<Float> {
    if border == .zero, x < 0 || y < 0 || x >= width || y >= height { return .zero }
    let pixel = pixels[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
    return SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue))
  }
}
