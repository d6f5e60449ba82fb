/// Conversion of pixel values to model input: `value * scale + bias`.
public struct PixelScaling: Hashable, Sendable {
  public var scale: Float
  public var bias: Float

  public init(scale: Float, bias: Float) {
    self.scale = scale
    self.bias = bias
  }

  /// Maps 0…255 to 0…1.
  public static let zeroToOne = PixelScaling(scale: 1 / 255, bias: 0)
  /// Maps 0…255 to −1…1.
  public static let minusOneToOne = PixelScaling(scale: 2 / 255, bias: -1)
}

extension Frame {
  /// Samples a rotated square bilinearly into a tensor of 3 × `size` × `size` floats (red, green and blue plane).
  ///
  /// The tensor's first element lies on the square's corner, without a half-pixel offset, as in OpenCV's
  /// `warpPerspective` of the four corners, which the face models were made for. `output` must hold `3 * size * size`
  /// floats, the square must be plausible and the frame must not be empty.
  public func resample(
    _ square: RotatedRect, size: Int, scaling: PixelScaling, border: EdgeMode, into output: inout MutableSpan<Float>
  ) {
    precondition(output.count == 3 * size * size, "the tensor does not have this size")
    precondition(width > 0 && height > 0, "the frame is empty")
    precondition(square.isPlausible, "the square is not plausible")
    let grid = SamplingGrid(square, size: size)
    let pixels = pixels.span
    var neighbors = BilinearRowSampler(columns: size)
    for row in 0..<size {
      let start = grid.start(ofRow: row)
      let inside = grid.columnsInside(from: start, width: width, height: height)
      for (columns, isInside) in [(0..<inside.lowerBound, false), (inside, true), (inside.upperBound..<size, false)]
      where !columns.isEmpty {
        if isInside {
          neighbors.fetch(pixels, width: width, start, grid, columns: columns)
        } else {
          neighbors.fetchClamped(pixels, width: width, height: height, border, start, grid, columns: columns)
        }
        for channel in 0..<3 {
          let first = (channel * size + row) * size + columns.lowerBound
          var part = output._mutatingExtracting(first..<first + columns.count)
          neighbors.mix(channel: channel, scaling, into: &part)
        }
      }
    }
  }
}
