public import MienInference

/// The compiled face models of one engine; sessions share engines.
///
/// Every engine has a set of its own: one compiled model that two threads run at once gave 215 frames/s on two
/// processors where two sets gave 278, for 20 MB more.
public struct FaceModels: Sendable {
  let detector: CompiledModel
  let mesh: CompiledModel
  let blendshapes: CompiledModel
  let geometry: HeadGeometry

  /// Loads the models from the folder that `scripts/install-parts` fills.
  ///
  /// - Throws: ``InferenceError``, whose obstacle names what is missing.
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
