public import MienCore
public import MienImaging

/// Places five landmarks of a face as close as possible to the positions that the recognition model was trained on, by
/// scaling, rotating and moving the image (least squares; Umeyama 1991 for two dimensions).
public enum FaceAlignment {
  /// Landmarks: iris on the image's left, iris on its right, tip of the nose, corners of the mouth.
  static let landmarks = [468, 473, 1, 61, 291]

  /// Their positions in an image of 112 × 112 pixels, as ArcFace and SFace use them.
  static let targets: [SIMD2<Float>] = [
    SIMD2(38.2946, 51.6963), SIMD2(73.5318, 51.5014), SIMD2(56.0252, 71.7366), SIMD2(41.5493, 92.3655),
    SIMD2(70.7299, 92.2041),
  ]

  /// Returns the square of the image to be sampled; `nil` if the points do not describe a face.
  ///
  /// - Parameter points: positions of ``landmarks`` in pixels.
  static func square(_ points: [SIMD2<Float>]) -> RotatedRect? {
    let count = Float(points.count)
    let center = points.reduce(SIMD2.zero, +) / count
    let target = targets.reduce(SIMD2.zero, +) / count
    // As complex numbers: the factor that maps the points to the targets, by least squares.
    var (real, imaginary, spread): (Float, Float, Float) = (0, 0, 0)
    for (point, place) in zip(points, targets) {
      let (own, wanted) = (point - center, place - target)
      real += own.x * wanted.x + own.y * wanted.y
      imaginary += own.x * wanted.y - own.y * wanted.x
      spread += (own * own).sum()
    }
    let length = real * real + imaginary * imaginary
    guard spread > 0, length > 0 else { return nil }
    // Its inverse maps a step of one target pixel to the image.
    let step = SIMD2(real, -imaginary) * (spread / length)
    func place(_ at: SIMD2<Float>) -> SIMD2<Float> {
      let from = at - target
      return center + SIMD2(step.x * from.x - step.y * from.y, step.y * from.x + step.x * from.y)
    }
    let scale = (step * step).sum().squareRoot()
    let side = Float(AlignedFace.size)
    let square = RotatedRect(center: place(SIMD2(repeating: side / 2)), side: side * scale, axis: step / scale)
    return square.isPlausible ? square : nil
  }
}

extension Frame {
  /// Maximum number of samples per pixel in each direction, for large faces.
  private static var mostSamples: Int { 8 }

  /// Returns the face with these landmarks, aligned; `nil` if they do not describe a face.
  ///
  /// Large faces are averaged over several samples per pixel, so that fine texture does not turn into noise.
  public func aligned(_ landmarks: Landmarks) -> AlignedFace? {
    let size = SIMD2(Float(width), Float(height))
    let points = FaceAlignment.landmarks.map { index in
      SIMD2(landmarks.points[index].x, landmarks.points[index].y) * size
    }
    guard width > 0, height > 0, var square = FaceAlignment.square(points) else { return nil }
    let step = square.side / Float(AlignedFace.size)
    let each = min(max(Int(step.rounded()), 1), Self.mostSamples)
    // The samples of a pixel lie around its center.
    let shift = step * (0.5 / Float(each) - 0.5)
    square.center +=
      SIMD2(square.axis.x - square.axis.y, square.axis.y + square.axis.x) * shift
    let side = AlignedFace.size * each
    var tensor = ContiguousArray<Float>(repeating: 0, count: 3 * side * side)
    var output = tensor.mutableSpan
    resample(square, size: side, scaling: PixelScaling(scale: 1, bias: 0), border: .zero, into: &output)
    let eyes = points[1] - points[0]
    return AlignedFace(
      samples: Self.averaged(tensor, each: each), eyeDistance: (eyes * eyes).sum().squareRoot())
  }

  /// Averages squares of `each` × `each` samples.
  private static func averaged(_ tensor: ContiguousArray<Float>, each: Int) -> ContiguousArray<UInt8> {
    let (size, side) = (AlignedFace.size, AlignedFace.size * each)
    let weight = 1 / Float(each * each)
    let source = tensor.span
    var samples = ContiguousArray<UInt8>(repeating: 0, count: AlignedFace.count)
    var target = samples.mutableSpan
    for row in 0..<3 * size {
      for column in 0..<size {
        var sum: Float = 0
        for y in 0..<each {
          let first = (row * each + y) * side + column * each
          for x in 0..<each { sum += source[first + x] }
        }
        target[row * size + column] = UInt8(min(max(sum * weight + 0.5, 0), 255))
      }
    }
    return samples
  }
}
