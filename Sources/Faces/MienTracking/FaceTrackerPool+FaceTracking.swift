import MienCodecs
import MienInference
public import MienCore
public import MienPlatform

extension FaceTrackerPool: FaceTracking {
  public func newTrack() -> FaceTrack { FaceTrack(FaceTrackState()) }

  public func observe(
    _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    guard let state = track.state as? FaceTrackState else { preconditionFailure("this track is of another tracker") }
    do throws(TrackingFailure) {
      let seen = try await process(at: frame, after: state, in: session)
      return (seen.observation, FaceTrack(seen.track), seen.took)
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
