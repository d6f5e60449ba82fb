package import MienCore
package import MienPlatform

/// Analysis of a session's frames, one at a time, on this server. Another server that continues the session has models
/// of its own and detects the face again.
package struct FrameIntake: Sendable {
  /// State of the face tracker after the last frame.
  package private(set) var track: FaceTrack
  private var budget = ProcessingBudget()
  package private(set) var isProcessing = false

  package init(track: FaceTrack) { self.track = track }

  package mutating func begin() { isProcessing = true }
  package mutating func end() { isProcessing = false }

  /// Throws if a frame is being processed. Call it before the body of the next frame is read.
  package func expectIdle(orExplain reason: String) throws {
    guard !isProcessing else { throw ServiceError(.frameInFlight, reason) }
  }

  /// Rejects a frame if the session has used up its processing time.
  package func expectBudget() throws { try budget.admit() }

  /// Accepts the tracker's result for a frame.
  ///
  /// - Parameters:
  ///   - entry: the replay guard's entry for the frame.
  ///   - reason: error text for a frame of another session. One without a face is accepted: it proves nothing, and a
  ///     covered camera sends the same image in every session.
  package mutating func accept(
    _ seen: (observation: FaceObservation, track: FaceTrack, took: Interval), entry: ReplayGuard.Entry,
    orExplain reason: String
  ) throws -> FaceObservation {
    budget.use(seen.took)
    let observation = seen.observation
    guard entry != .otherSession || observation.face == nil && observation.faceCount == 0 else {
      throw ServiceError(.frameReplayed, reason)
    }
    track = seen.track
    return observation
  }
}
