internal import MienLiveness
public import MienCore

/// What is seen in one picture, to help somebody to aim a camera: nothing is kept of it and nothing is judged.
public struct FacePreview: Sendable {
  /// How many faces the detector saw.
  public let faceCount: Int
  /// The face that was measured, as fractions of the picture; nil when there is none.
  public let box: FaceBox?
  public let pose: HeadPose?
  /// What would make a better picture, the most helpful first.
  public let hints: [FramingHint]
}

extension FacePreview: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceGlance(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LivenessCheckService {
  /// Looks at one picture that belongs to no check.
  ///
  /// - Throws: ``ServiceError`` when it is no picture, or when nobody can look now.
  public nonisolated func preview(at bytes: [UInt8]) async throws -> FacePreview {
    do {
      let frame = EncodedFrame(bytes: bytes, at: clock.now())
      let seen = try await observer.observe(frame, after: observer.newTrack(), in: .preview)
      let observation = seen.observation
      return FacePreview(
        faceCount: max(observation.faceCount, observation.face == nil ? 0 : 1), box: observation.face?.box,
        pose: observation.face?.pose, hints: settings.framing.hints(for: observation))
    } catch let error as FaceTrackingError {
      throw Self.mapped(error)
    }
  }
}
