import MienImaging

/// One result of the face detector; positions in pixels.
struct Detection {
  /// Confidence, 0…1.
  var score: Float
  /// Top left and bottom right corners of the box around the face (brows to chin).
  var first: SIMD2<Float>
  var last: SIMD2<Float>
  /// Positions of the subject's right and left eye.
  var rightEye: SIMD2<Float>
  var leftEye: SIMD2<Float>

  var center: SIMD2<Float> { (first + last) / 2 }
  var side: Float { (last - first).max() }
  var area: Float { max(last.x - first.x, 0) * max(last.y - first.y, 0) }

  /// Region to pass to the mesh model; `nil` if the numbers do not describe a face.
  var square: RotatedRect? { .aroundFace(first: first, last: last, eyes: leftEye - rightEye) }

  /// Returns the intersection over union with another box, 0…1.
  func overlap(_ other: Detection) -> Float {
    let low = pointwiseMax(first, other.first)
    let high = pointwiseMin(last, other.last)
    let shared = max(high.x - low.x, 0) * max(high.y - low.y, 0)
    return shared > 0 ? shared / (area + other.area - shared) : 0
  }
}

extension RotatedRect {
  /// Returns a square 1.5 times as large as a face's box, aligned with the eyes, as the mesh model was trained on.
  static func aroundFace(first: SIMD2<Float>, last: SIMD2<Float>, eyes: SIMD2<Float>) -> RotatedRect? {
    let length = (eyes * eyes).sum().squareRoot()
    guard length > 0 else { return nil }
    let square = RotatedRect(center: (first + last) / 2, side: (last - first).max() * 1.5, axis: eyes / length)
    return square.isPlausible ? square : nil
  }
}
