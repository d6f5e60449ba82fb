public import MienCore

/// A face tracker that retries while all models are busy: live checks have priority, and a scan is only processed once.
public struct RetryingFaceTracker: FaceTracking {
  private let observer: any FaceTracking
  private let tries: Int
  private let pause: @Sendable () async throws -> Void

  /// - Parameters:
  ///   - tries: maximum number of attempts while all models are busy; at least one.
  ///   - pause: waits before the next attempt. An error thrown by it ends the waiting.
  public init(_ observer: any FaceTracking, tries: Int, pause: @escaping @Sendable () async throws -> Void) {
    self.observer = observer
    self.tries = tries
    self.pause = pause
  }

  public func newTrack() -> FaceTrack { observer.newTrack() }

  public func observe(
    _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    var left = tries
    while true {
      do {
        return try await observer.observe(frame, after: track, in: session)
      } catch let error as FaceTrackingError where error.code == .busy {
        left -= 1
        guard left > 0 else { throw error }
        try await pause()
      }
    }
  }

  public func obstacles() async -> [UnavailableReason] { await observer.obstacles() }
}
