public import MienCore

/// An observer that waits for its turn: checks of people who stand before their cameras come first, and a scan is worked
/// on once.
public struct RetryingFaceTracker<Observer: FaceTracking>: FaceTracking {
  private let observer: Observer
  private let tries: Int
  private let pause: @Sendable () async throws -> Void

  /// - Parameters:
  ///   - tries: how often it asks, at most, while all models are taken; at least once.
  ///   - pause: lets some time pass before it asks again. What it throws ends the waiting.
  public init(_ observer: Observer, tries: Int, pause: @escaping @Sendable () async throws -> Void) {
    self.observer = observer
    self.tries = tries
    self.pause = pause
  }

  public func newTrack() -> Observer.Track { observer.newTrack() }

  public func observe(
    _ frame: EncodedFrame, after track: Observer.Track, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: Observer.Track, took: Interval) {
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
