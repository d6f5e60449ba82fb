internal import MienPlatform
internal import MienLiveness
public import MienCore

/// The face found in one image, to help a person aim the camera. Nothing is stored and no verdict is made.
public struct FacePreview: Sendable {
  /// Number of faces detected.
  public let faceCount: Int
  /// Bounding box of the measured face in fractions of the image; `nil` if there is no face.
  public let box: FaceBox?
  public let pose: HeadPose?
  /// Hints for a better image, most helpful first.
  public let hints: [FramingHint]
}

extension FacePreview: CustomStringConvertible, CustomReflectable {
  public var description: String { "FacePreview(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LivenessCheckService {
  /// Analyzes one image that belongs to no check.
  ///
  /// - Throws: ``ServiceError`` if the data is not a supported image, if the image is too large, or if no model is
  ///   available.
  public nonisolated func preview(at bytes: [UInt8]) async throws -> FacePreview {
    do {
      let frame = EncodedFrame(bytes: bytes, at: clock.now())
      let seen = try await observer.observe(frame, after: observer.newTrack(), in: .preview)
      let observation = seen.observation
      return FacePreview(
        faceCount: max(observation.faceCount, observation.face == nil ? 0 : 1), box: observation.face?.box,
        pose: observation.face?.pose, hints: settings.framing.hints(for: observation))
    } catch let error as FaceTrackingError {
      throw ServiceError(error)
    }
  }
}
