public import MienCore

/// Sees faces in encoded pictures; the service's socket for a tracker.
///
/// A session's own state travels as a small value, so that one pool of models serves every session.
public protocol FaceTracking: Sendable {
  /// What has to be remembered of a session between two frames.
  associatedtype Track: Sendable

  /// The state of a session that has seen nothing yet.
  func newTrack() -> Track

  /// Decodes `frame`, looks for a face and follows it.
  ///
  /// - Parameter session: whose share of the models it takes, and how large the frame may be.
  /// - Returns: what was seen, the track for the next frame, and how long it took without waiting for its turn.
  /// - Throws: ``FaceTrackingError``; the track the caller holds stays valid then.
  func observe(_ frame: EncodedFrame, after track: Track, in session: FrameSession) async throws
    -> (observation: FaceObservation, track: Track, took: Interval)

  /// What keeps this observer from seeing, for readiness; empty when all is well.
  func obstacles() async -> [UnavailableReason]
}

extension FaceTracking {
  /// Looks at a frame of a file, for tools that have nobody waiting.
  public func observe(
    _ frame: EncodedFrame, after track: Track
  ) async throws -> (observation: FaceObservation, track: Track, took: Interval) {
    try await observe(frame, after: track, in: .files)
  }
}
