import MienInference
import MienCore

/// Estimates coefficients from landmarks with MediaPipe's blendshape model.
struct BlendshapeEstimator: ~Copyable {
  private var request: InferRequest

  init(_ model: CompiledModel) throws(InferenceError) {
    // The model's first number is `_neutral`, which ARKit does not have; `tongueOut` is not among its outputs.
    request = try InferRequest(model, outputs: [Blendshapes.count])
  }

  /// Estimates all coefficients except `tongueOut`; `points` in pixels.
  mutating func estimate(_ points: [SIMD3<Float>]) throws(InferenceError) -> Blendshapes {
    request.writeInput { input in
      for (index, landmark) in Self.landmarks.enumerated() {
        input[2 * index] = points[landmark].x
        input[2 * index + 1] = points[landmark].y
      }
    }
    try request.run()
    return try request.withOutput(0) { numbers in
      var blendshapes = Blendshapes()
      for name in BlendshapeName.allCases where name != .tongueOut {
        blendshapes[name] = numbers[name.rawValue + 1]
      }
      return blendshapes
    }
  }

  /// The model's input landmarks, in its order (MediaPipe `face_blendshapes_graph.cc`).
  static let landmarks = [
    0, 1, 4, 5, 6, 7, 8, 10, 13, 14, 17, 21, 33, 37, 39, 40, 46, 52, 53, 54, 55, 58, 61, 63, 65, 66, 67, 70, 78, 80,
    81, 82, 84, 87, 88, 91, 93, 95, 103, 105, 107, 109, 127, 132, 133, 136, 144, 145, 146, 148, 149, 150, 152, 153,
    154, 155, 157, 158, 159, 160, 161, 162, 163, 168, 172, 173, 176, 178, 181, 185, 191, 195, 197, 234, 246, 249, 251,
    263, 267, 269, 270, 276, 282, 283, 284, 285, 288, 291, 293, 295, 296, 297, 300, 308, 310, 311, 312, 314, 317, 318,
    321, 323, 324, 332, 334, 336, 338, 356, 361, 362, 365, 373, 374, 375, 377, 378, 379, 380, 381, 382, 384, 385, 386,
    387, 388, 389, 390, 397, 398, 400, 402, 405, 409, 415, 454, 466, 468, 469, 470, 471, 472, 473, 474, 475, 476, 477,
  ]
}
