internal import Foundation
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

/// The face-recognition model in a folder that the runtime can read: the given one, or a temporary one with unpacked weights.
struct EmbedderFolder: ~Copyable {
  let path: String
  private let isTemporary: Bool

  /// Unpacks the weights if `folder` only has packed ones.
  ///
  /// The folder can be removed once the model is compiled, since the runtime keeps the weights file mapped.
  ///
  /// - Parameter scratch: folder for the 39 MB of weights.
  /// - Throws: ``InferenceError`` if the weights cannot be unpacked.
  init(_ folder: String, scratch: String) throws(InferenceError) {
    let manager = FileManager.default
    let model = "\(folder)/\(FaceEmbedder.fileName)"
    guard !manager.fileExists(atPath: model + ".data"), manager.fileExists(atPath: model + ".packed") else {
      path = folder
      isTemporary = false
      return
    }
    path = "\(scratch)/.weights-\(UUID().uuidString)"
    isTemporary = true
    do {
      try manager.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try manager.copyItem(atPath: model, toPath: "\(path)/\(FaceEmbedder.fileName)")
      try Self.unpack(model + ".packed", to: "\(path)/\(FaceEmbedder.fileName).data")
    } catch {
      try? manager.removeItem(atPath: path)
      throw InferenceError(.modelUnusable, name: FaceEmbedder.fileName, reason: "cannot unpack the weights: \(error)")
    }
  }

  deinit {
    // A folder that cannot be removed occupies 39 MB of the scratch folder, which is no reason to fail.
    if isTemporary { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func unpack(_ source: String, to target: String) throws {
    var weights = try PackedWeights(Array(Data(contentsOf: URL(fileURLWithPath: source))))
    try Data().write(to: URL(fileURLWithPath: target))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
    let size = try weights.unpack { offset, numbers in
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: numbers)
    }
    try file.truncate(atOffset: UInt64(size))
    try file.close()
  }
}
