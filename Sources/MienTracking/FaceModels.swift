public import MienInference

/// The compiled face models: one set, shared by every engine.
public struct FaceModels: Sendable {
  let detector: CompiledModel
  let mesh: CompiledModel
  let blendshapes: CompiledModel
  let geometry: HeadGeometry

  /// Loads the models from the folder that `scripts/install-parts` fills, for `threads` engines at once.
  ///
  /// - Throws: ``InferenceError``, whose obstacle names what is missing.
  public init(folder: String, threads: Int) throws(InferenceError) {
    let threads = max(threads, 1)
    let runtime = try InferenceRuntime()
    geometry = HeadGeometry(try CanonicalFace(folder: folder))
    detector = try runtime.compile(
      path: "\(folder)/face_detector.tflite", input: .picture(size: FaceDetector.size), threads: threads)
    mesh = try runtime.compile(
      path: "\(folder)/face_landmarks_detector.tflite", input: .picture(size: FaceMesh.size), threads: threads)
    blendshapes = try runtime.compile(
      path: "\(folder)/face_blendshapes.tflite", input: .points(count: BlendshapeEstimator.landmarks.count),
      threads: threads)
  }
}
