import Foundation
import MienImaging
import MienInference
import MienCore

/// Fits MediaPipe's mesh of 478 points to one face.
struct FaceMesh: ~Copyable {
  static let size = 256

  /// The outputs of the model.
  struct Answer {
    /// Points in pixels of the image; z on the same scale, smaller = nearer.
    var points: [SIMD3<Float>]
    /// Confidence that there is a face, 0…1.
    var presence: Float
    /// Raw tongue score, 0…1, not checked for a visible mouth.
    var tongue: Float
  }

  private var request: InferRequest

  init(_ model: CompiledModel) throws(InferenceError) {
    request = try InferRequest(model, outputs: [Landmarks.count * 3, 1, 1])
  }

  /// Runs the model on a square of the image.
  mutating func look(at square: RotatedRect, in frame: Frame) throws(InferenceError) -> Answer {
    try runModel(square, of: frame)
    let points = try request.withOutput(0) { numbers in
      // The model returns pixels of its own input.
      let scale = 1 / Float(Self.size)
      return (0..<Landmarks.count).map { index in
        let own = SIMD3(numbers[index * 3], numbers[index * 3 + 1], numbers[index * 3 + 2]) * scale
        let place = square.place(SIMD2(own.x, own.y))
        return SIMD3(place.x, place.y, own.z * square.side)
      }
    }
    return Answer(points: points, presence: try presence(), tongue: try request.withOutput(2) { $0[0] })
  }

  /// Returns the confidence that a square shows a face, 0…1.
  mutating func presence(at square: RotatedRect, in frame: Frame) throws(InferenceError) -> Float {
    try runModel(square, of: frame)
    return try presence()
  }

  private mutating func runModel(_ square: RotatedRect, of frame: Frame) throws(InferenceError) {
    request.writeInput { input in
      // Black pixels beyond the image's edge would shift the points by up to 11 pixels.
      frame.resample(square, size: Self.size, scaling: .zeroToOne, border: .replicate, into: &input)
    }
    try request.run()
  }

  private func presence() throws(InferenceError) -> Float {
    1 / (1 + exp(-(try request.withOutput(1) { $0[0] })))
  }
}
