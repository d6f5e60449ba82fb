public import MienCore

extension Frame {
  /// The mean luma in a small square around each of the landmarks of ``LandmarkTones``; nil when one of them is not in the
  /// picture.
  ///
  /// - Parameter landmarks: fractions of this picture, as the tracker gives them. The squares are an eighth of the distance
  ///   between the eyes' outer corners wide, at least three pixels.
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
