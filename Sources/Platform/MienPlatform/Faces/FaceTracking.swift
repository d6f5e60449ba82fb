public import MienCore

/// Detects and tracks faces in encoded images; the service's interface to a tracker.
///
/// The state of a session is a small value, so that one pool of models serves all sessions.
public protocol FaceTracking: Sendable {
  /// State of a session that is carried from one frame to the next.
  associatedtype Track: Sendable

  /// Returns the state of a session without any frames.
  func newTrack() -> Track

  /// Decodes `frame`, detects a face and tracks it.
  ///
  /// - Parameter session: determines the share of the models that is used, and the maximum size of the frame.
  /// - Returns: the observation, the track for the next frame, and the processing time without the time spent waiting.
  /// - Throws: ``FaceTrackingError``; the caller's track remains valid then.
  func observe(_ frame: EncodedFrame, after track: Track, in session: FrameSession) async throws
    -> (observation: FaceObservation, track: Track, took: Interval)

  /// Returns the reasons why the tracker is not ready; empty if it is.
  func obstacles() async -> [UnavailableReason]
}

extension FaceTracking {
  /// Analyzes a frame of a file, for offline tools.
  public func observe(
    _ frame: EncodedFrame, after track: Track
  ) async throws -> (observation: FaceObservation, track: Track, took: Interval) {
    try await observe(frame, after: track, in: .files)
  }
}
