public import MienInference

/// The compiled face models of one tracker; sessions share trackers.
///
/// Every tracker has its own set: one compiled model run by two threads at once processed 215 frames/s on two
/// processors, compared with 278 for two sets, which use 20 MB more.
public struct FaceModels: Sendable {
  let detector: CompiledModel
  let mesh: CompiledModel
  let blendshapes: CompiledModel
  let geometry: HeadGeometry

  /// Loads the models from the directory that `scripts/install-parts` fills.
  ///
  /// - Throws: `InferenceError`, which names the missing file.
  public init(folder: String) throws(InferenceError) {
    try self.init(folder: folder, runtime: InferenceRuntime())
  }

  init(folder: String, runtime: InferenceRuntime) throws(InferenceError) {
    geometry = HeadGeometry(try CanonicalFace(folder: folder))
    detector = try runtime.compile(path: "\(folder)/face_detector.tflite", input: .image(size: FaceDetector.size))
    mesh = try runtime.compile(path: "\(folder)/face_landmarks_detector.tflite", input: .image(size: FaceMesh.size))
    blendshapes = try runtime.compile(
      path: "\(folder)/face_blendshapes.tflite", input: .points(count: BlendshapeEstimator.landmarks.count))
  }
}
