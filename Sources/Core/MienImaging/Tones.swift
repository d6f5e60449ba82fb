public import MienCore

extension Frame {
  /// Returns the mean luma in a small square around each landmark of ``LandmarkTones``; `nil` if one of them is outside
  /// the image.
  ///
  /// - Parameter landmarks: fractions of this image, as returned by the tracker. The squares are an eighth of the
  ///   distance between the outer eye corners wide, at least three pixels.
  public func tones(at landmarks: Landmarks) -> LandmarkTones? {
    let points = landmarks.points
    let size = SIMD2(Float(width), Float(height))
    func place(_ index: Int) -> SIMD2<Float> { SIMD2(points[index].x, points[index].y) * size }
    let eyes = place(263) - place(33)
    let distance = (eyes * eyes).sum().squareRoot()
    guard distance > 4, distance < 100_000 else { return nil }
    let radius = max(1.5, distance / 16)
    var values = SIMD32<Float>(repeating: 0)
    for (slot, index) in LandmarkTones.indices.enumerated() {
      let point = place(index)
      guard point.x >= 0, point.y >= 0, point.x < size.x, point.y < size.y,
        let luma = meanLuma(
          x: point.x - radius..<point.x + radius, y: point.y - radius..<point.y + radius)
      else { return nil }
      values[slot] = luma
    }
    return LandmarkTones(values)
  }
}
