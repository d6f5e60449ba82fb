import MienImaging

extension Pixel {
  /// Red, green, blue, 0…255.
  var channels: SIMD3<Float> { SIMD3(Float(red), Float(green), Float(blue)) }

  /// Creates the pixel nearest to a color, 0…255.
  init(_ color: SIMD3<Float>) {
    let clamped = pointwiseMin(pointwiseMax(color, .zero), SIMD3(repeating: 255)) + 0.5
    self.init(red: UInt8(clamped.x), green: UInt8(clamped.y), blue: UInt8(clamped.z))
  }
}

extension Frame {
  /// Maximum width and height of an image for sufficient precision of `Float` coordinates.
  static var widest: Int { 16_384 }

  /// Returns the bilinearly interpolated color at a position, 0…255; positions outside are clamped to the border. The
  /// image must have at least two by two pixels and at most ``widest`` in either direction.
  func color(at pixel: SIMD2<Float>) -> SIMD3<Float> {
    let (x, y) = (min(max(Int(pixel.x), 0), width - 2), min(max(Int(pixel.y), 0), height - 2))
    let (fx, fy) = (min(pixel.x - Float(x), 1), min(pixel.y - Float(y), 1))
    let top = self[x, y].channels * (1 - fx) + self[x + 1, y].channels * fx
    let bottom = self[x, y + 1].channels * (1 - fx) + self[x + 1, y + 1].channels * fx
    return top * (1 - fy) + bottom * fy
  }

  /// Returns the mean color of a square of `side` pixels around a position, from `taps` × `taps` samples; positions
  /// outside are clamped to the border. The image must have at least two by two pixels.
  func mean(at place: SIMD2<Float>, side: Float, taps: Int) -> SIMD3<Float> {
    let most = SIMD2(Float(width) - 1.001, Float(height) - 1.001)
    var sum = SIMD3<Float>.zero
    for row in 0..<taps {
      for column in 0..<taps {
        let shift = (SIMD2(Float(column), Float(row)) + 0.5) / Float(taps) - 0.5
        sum += color(at: pointwiseMin(pointwiseMax(place + shift * side, .zero), most))
      }
    }
    return sum / Float(taps * taps)
  }
}
