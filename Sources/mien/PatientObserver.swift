import MienModel
import MienService

/// An observer that waits for its turn: checks of people who stand before their cameras come first, and a scan is worked
/// on once.
struct PatientObserver<Observer: FaceObserver>: FaceObserver {
  private let observer: Observer

  init(_ observer: Observer) { self.observer = observer }

  func newTrack() -> Observer.Track { observer.newTrack() }

  /// Asks again while all models are taken, for half a minute.
  func observe(
    _ frame: EncodedFrame, after track: Observer.Track
  ) async throws -> (observation: FaceObservation, track: Observer.Track) {
    for _ in 0..<100 {
      do {
        return try await observer.observe(frame, after: track)
      } catch let error as ObserverError where error.code == .busy {
        try await Task.sleep(for: .milliseconds(300))
      }
    }
    return try await observer.observe(frame, after: track)
  }

  func obstacles() async -> [Obstacle] { await observer.obstacles() }
}
