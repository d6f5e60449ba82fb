import Foundation
import MienCodecs
import MienImaging
import MienTracking

/// Locations of the models, the test photos and the shared data, if available.
enum Parts {
  static let folder: String = {
    if let place = ProcessInfo.processInfo.environment["MIEN_PARTS"], !place.isEmpty { return place }
    return package + "/.mien"
  }()

  static let modelFolder = folder + "/models"

  static let modelFiles = [
    "face_detector.tflite", "face_landmarks_detector.tflite", "face_blendshapes.tflite",
    "geometry_pipeline_metadata_landmarks.binarypb",
  ]

  static let haveModels: Bool = {
    let all = modelFiles.allSatisfy { FileManager.default.fileExists(atPath: "\(modelFolder)/\($0)") }
    if !all { print("SKIPPED MienTrackingTests: the models are missing; run scripts/install-parts") }
    return all
  }()

  static let haveMedia: Bool = {
    let all = FileManager.default.fileExists(atPath: "\(folder)/media/astronaut.png")
    if !all { print("SKIPPED MienTrackingTests: the photographs are missing; run scripts/install-test-media") }
    return all && haveModels
  }()

  /// Shared folder beside the package, or the value of `MIEN_SHARED`.
  static let shared: String? = {
    let named = ProcessInfo.processInfo.environment["MIEN_SHARED"]
    let place = named ?? (package as NSString).deletingLastPathComponent + "/shared"
    return FileManager.default.fileExists(atPath: place) ? place : nil
  }()

  /// Models shared by all tests, as in a server.
  static let models = Result { try FaceModels(folder: modelFolder) }

  static func photograph(_ stem: String) throws -> [UInt8] {
    for end in ["jpg", "png"] {
      if let data = FileManager.default.contents(atPath: "\(folder)/media/\(stem).\(end)") { return [UInt8](data) }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  static func frame(_ stem: String, mirrored: Bool = false) throws -> Frame {
    var decoder = try ImageDecoder()
    var (frame, turned) = (Frame(), Frame())
    try decoder.decode(photograph(stem), into: &frame)
    frame.stand(upright: mirrored ? .mirrored : .upright, into: &turned)
    return turned
  }

  private static let package: String = {
    // Path of this file: Tests/Unit/MienTrackingTests.
    var url = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.path
  }()
}
