internal import MienCore
internal import MienInference

/// Computes templates of faces: SFace of the OpenCV Zoo (Apache-2.0), with folded weights (scripts/fold-face-model).
struct FaceEmbedder: ~Copyable {
  static let fileName = "sface_2021dec.onnx"

  private var request: InferRequest

  /// Loads the model from the directory that `scripts/install-parts` fills.
  ///
  /// - Throws: ``InferenceError``, which names the missing file.
  static func load(folder: String, runtime: InferenceRuntime) throws(InferenceError) -> CompiledModel {
    try runtime.compile(path: "\(folder)/\(fileName)", input: .planes(size: AlignedFace.size))
  }

  init(_ model: CompiledModel) throws(InferenceError) {
    request = try InferRequest(model, outputs: [FaceTemplate.count])
  }

  /// Returns the template of a face.
  mutating func template(of face: AlignedFace) throws(InferenceError) -> FaceTemplate {
    request.writeInput { input in
      let samples = face.samples.span
      for index in samples.indices { input[index] = Float(samples[index]) }
    }
    try request.run()
    let template = try request.withOutput(0) { output in
      FaceTemplate(output.indices.map { output[$0] })
    }
    guard let template else {
      throw InferenceError(.inferenceFailed, name: Self.fileName, reason: "the output has no direction")
    }
    return template
  }
}
