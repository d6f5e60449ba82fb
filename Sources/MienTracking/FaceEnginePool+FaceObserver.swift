import MienCodecs
import MienInference
public import MienModel
public import MienService

extension FaceEnginePool: FaceObserver {
  public func newTrack() -> FaceTrack { FaceTrack() }

  public func observe(
    _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    do throws(TrackingFailure) {
      return try await look(at: frame, after: track, in: session)
    } catch {
      throw ObserverError(error)
    }
  }

  public func obstacles() async -> [Obstacle] { missing() }
}

extension ObserverError {
  /// The service's words for a tracker's failure.
  init(_ failure: TrackingFailure) {
    switch failure {
    case .picture(let error) where error.code == .tooLarge:
      self.init(.pictureTooLarge, reason: error.reason)
    case .picture(let error):
      self.init(.notAPicture, reason: error.reason)
    case .inference(let error):
      self.init(.modelUnavailable, reason: "\(error.name): \(error.reason)", obstacle: error.obstacle)
    case .busy(let waiting):
      self.init(.busy, reason: "\(waiting) frames wait already")
    }
  }
}
