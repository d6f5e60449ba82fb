internal import Foundation
internal import MienImaging
internal import MienInference

/// Detects faces in a whole image: MediaPipe's short-range BlazeFace (faces up to about 2 m from the camera).
///
/// The image is padded to a square with black bars, with values −1…1. The model returns 896 boxes relative to fixed
/// anchors; those of one face are merged, weighted by their scores.
struct FaceDetector: ~Copyable {
  static let size = 128
  private static let boxNumbers = 16

  private var request: InferRequest

  init(_ model: CompiledModel) throws(InferenceError) {
    request = try InferRequest(model, outputs: [Self.anchors.count * Self.boxNumbers, Self.anchors.count])
  }

  /// Returns the faces in an image, highest score first.
  mutating func faces(in frame: Frame, _ settings: TrackingSettings) throws(InferenceError) -> [Detection] {
    let size = SIMD2(Float(frame.width), Float(frame.height))
    return try faces(in: frame, within: RotatedRect(center: size / 2, side: size.max()), settings)
  }

  /// Returns the faces in a part of an image, highest score first.
  mutating func faces(in frame: Frame, within square: RotatedRect, _ settings: TrackingSettings)
    throws(InferenceError) -> [Detection]
  {
    request.writeInput { input in
      frame.resample(square, size: Self.size, scaling: .minusOneToOne, border: .zero, into: &input)
    }
    try request.run()
    // The logit of the lowest score, so that only a few logistic functions have to be computed.
    let lowest = log(settings.detectionScore / (1 - settings.detectionScore))
    let candidates: [(index: Int, score: Float)] = try request.withOutput(1) { logits in
      logits.indices.compactMap { logits[$0] >= lowest ? ($0, 1 / (1 + exp(-logits[$0]))) : nil }
    }
    guard !candidates.isEmpty else { return [] }
    let found = try request.withOutput(0) { numbers in
      candidates.map { Self.detection(numbers, $0.index, score: $0.score, in: square) }
    }
    return Self.merge(found.sorted { $0.score > $1.score }, overlap: settings.detectionOverlap)
  }

  /// Decodes a box: center x and y, width, height, then x and y of six points, in pixels of the model's input, the
  /// positions relative to the anchor.
  private static func detection(
    _ numbers: borrowing Span<Float>, _ index: Int, score: Float, in square: RotatedRect
  ) -> Detection {
    let at = index * boxNumbers
    let anchor = anchors[index]
    func place(_ offset: Int) -> SIMD2<Float> {
      square.place(SIMD2(numbers[at + offset], numbers[at + offset + 1]) / Float(size) + anchor)
    }
    let center = place(0)
    let half = SIMD2(numbers[at + 2], numbers[at + 3]) / Float(size) * square.side / 2
    return Detection(
      score: score, first: center - half, last: center + half, rightEye: place(4), leftEye: place(6))
  }

  /// Merges detections that overlap the best one into their score-weighted mean, then continues with the rest.
  static func merge(_ sorted: [Detection], overlap: Float) -> [Detection] {
    var rest = sorted
    var merged: [Detection] = []
    while !rest.isEmpty {
      let top = rest.removeFirst()
      let group = [top] + rest.filter { top.overlap($0) > overlap }
      rest.removeAll { top.overlap($0) > overlap }
      let weight = group.reduce(0) { $0 + $1.score }
      func mean(_ part: (Detection) -> SIMD2<Float>) -> SIMD2<Float> {
        group.reduce(SIMD2.zero) { $0 + part($1) * $1.score } / weight
      }
      merged.append(
        Detection(
          score: top.score, first: mean(\.first), last: mean(\.last), rightEye: mean(\.rightEye),
          leftEye: mean(\.leftEye)))
    }
    return merged
  }

  /// Centers of the anchors as fractions: a grid of 16 × 16 with two each, then one of 8 × 8 with six each.
  private static let anchors: [SIMD2<Float>] = grid(of: 16, each: 2) + grid(of: 8, each: 6)

  private static func grid(of cells: Int, each count: Int) -> [SIMD2<Float>] {
    (0..<cells * cells * count).map { index in
      let cell = index / count
      return SIMD2(Float(cell % cells) + 0.5, Float(cell / cells) + 0.5) / Float(cells)
    }
  }
}

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
