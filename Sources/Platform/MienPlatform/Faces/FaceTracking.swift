public import MienCore

/// The state of a session that a face tracker carries from one frame to the next. Only the tracker that made it reads
/// it.
public struct FaceTrack: Sendable {
  /// The tracker's own value.
  public let state: any Sendable

  public init(_ state: any Sendable) { self.state = state }
}

extension FaceTrack: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceTrack(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Detects and tracks faces in encoded images; the service's interface to a tracker.
///
/// The state of a session is a small value, so that one pool of models serves all sessions.
public protocol FaceTracking: Sendable {
  /// Returns the state of a session without any frames.
  func newTrack() -> FaceTrack

  /// Decodes `frame`, detects a face and tracks it.
  ///
  /// - Parameter session: determines the share of the models that is used, and the maximum size of the frame.
  /// - Returns: the observation, the track for the next frame, and the processing time without the time spent waiting.
  /// - Throws: ``FaceTrackingError``; the caller's track remains valid then.
  func observe(_ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession) async throws
    -> (observation: FaceObservation, track: FaceTrack, took: Interval)

  /// Returns the reasons why the tracker is not ready; empty if it is.
  func obstacles() async -> [UnavailableReason]
}

extension FaceTracking {
  /// Analyzes a frame of a file, for offline tools.
  public func observe(
    _ frame: EncodedFrame, after track: FaceTrack
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    try await observe(frame, after: track, in: .files)
  }
}
