import Foundation
import MienImaging
import MienInference
import MienCore

/// Lays MediaPipe's mesh of 478 points onto one face.
struct FaceMesh: ~Copyable {
  static let size = 256

  /// What the model answers.
  struct Answer {
    /// In pixels of the picture; z on the same scale, smaller = nearer.
    var points: [SIMD3<Float>]
    /// How sure the model is that there is a face, 0…1.
    var presence: Float
    /// How far the tongue is out, 0…1, without any check that the mouth is seen.
    var tongue: Float
  }

  private var request: InferRequest

  init(_ model: CompiledModel) throws(InferenceError) {
    request = try InferRequest(model, outputs: [Landmarks.count * 3, 1, 1])
  }

  /// Looks at what a square shows of the picture.
  mutating func look(at square: RotatedRect, in frame: Frame) throws(InferenceError) -> Answer {
    try show(square, of: frame)
    let points = try request.withOutput(0) { numbers in
      // The model answers in pixels of its own picture.
      let scale = 1 / Float(Self.size)
      return (0..<Landmarks.count).map { index in
        let own = SIMD3(numbers[index * 3], numbers[index * 3 + 1], numbers[index * 3 + 2]) * scale
        let place = square.place(SIMD2(own.x, own.y))
        return SIMD3(place.x, place.y, own.z * square.side)
      }
    }
    return Answer(points: points, presence: try presence(), tongue: try request.withOutput(2) { $0[0] })
  }

  /// How sure the model is that a square shows a face, 0…1.
  mutating func presence(at square: RotatedRect, in frame: Frame) throws(InferenceError) -> Float {
    try show(square, of: frame)
    return try presence()
  }

  private mutating func show(_ square: RotatedRect, of frame: Frame) throws(InferenceError) {
    request.writeInput { input in
      // Black beyond the picture's border would shift the points by up to 11 pixels.
      frame.resample(square, size: Self.size, scaling: .zeroToOne, border: .replicate, into: &input)
    }
    try request.run()
  }

  private func presence() throws(InferenceError) -> Float {
    1 / (1 + exp(-(try request.withOutput(1) { $0[0] })))
  }
}
