internal import MienCore
internal import MienFaceMatch
internal import MienPlatform

extension LivenessCheckService {
  /// Returns the comparer of faces.
  ///
  /// - Throws: ``ServiceError`` with `modelUnavailable` on a server without the recognition model.
  public nonisolated func expectFaceComparer() throws -> FaceComparer {
    guard let comparer else {
      throw ServiceError(
        .modelUnavailable,
        "This server compares no faces: its recognition model is not installed. scripts/install-parts installs it.")
    }
    return comparer
  }

  /// Returns the template of a reference image.
  ///
  /// - Throws: ``ServiceError`` with `notAssessed` and the reason if its face cannot be compared.
  nonisolated func faceReference(in image: [UInt8], sources: CheckSources) async throws -> FaceReference {
    guard sources.contains(.observed) else {
      throw ServiceError(
        .badValue, "\"reference_image\" needs frames to compare with: add \"observed\" to \"sources\", or leave it out."
      )
    }
    let found = try await expectFaceComparer().face(in: image)
    guard let template = found.face?.template else {
      let problem = found.problem ?? .noFace
      throw ServiceError(
        .notAssessed,
        "The face in \"reference_image\" cannot be compared (\(problem.rawValue)). \(problem.advice)")
    }
    return FaceReference(template)
  }
}

extension FaceImageProblem {
  /// Advice for the integrator.
  package var advice: String {
    switch self {
    case .noFace: "Send a picture that shows one face from the front."
    case .severalFaces: "Send a picture with one face, or cut it out."
    case .tooSmall: "Send a larger picture, or cut the face out of a picture of higher resolution."
    case .turned: "Send a picture that shows the face from the front."
    case .blurred: "Send a sharp picture."
    case .covered: "Send a picture that shows the whole face."
    case .tooDark, .tooBright: "Send a picture with even light on the face."
    }
  }
}
