import MienCodecs
import MienInference
public import MienCore
public import MienService

extension FaceTrackerPool: FaceTracking {
  public func newTrack() -> FaceTrackState { FaceTrackState() }

  public func observe(
    _ frame: EncodedFrame, after track: FaceTrackState, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrackState, took: Interval) {
    do throws(TrackingFailure) {
      return try await process(at: frame, after: track, in: session)
    } catch {
      throw FaceTrackingError(error)
    }
  }

  public func obstacles() async -> [UnavailableReason] { missing() }
}

extension FaceTrackingError {
  /// Maps a tracking failure to the service's error.
  init(_ failure: TrackingFailure) {
    switch failure {
    case .image(let error) where error.code == .tooLarge:
      self.init(.imageTooLarge, reason: error.reason)
    case .image(let error):
      self.init(.notAImage, reason: error.reason)
    case .inference(let error):
      self.init(.modelUnavailable, reason: "\(error.name): \(error.reason)", obstacle: error.obstacle)
    case .busy(let waiting):
      self.init(.busy, reason: "\(waiting) frames wait already")
    }
  }
}
