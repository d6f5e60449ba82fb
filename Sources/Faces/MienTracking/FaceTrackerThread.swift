import MienCodecs
import MienCore
internal import MienWorkers

/// A face tracker on a dedicated thread, so that its work never blocks the shared thread pool.
actor FaceTrackerThread {
  private var engine: FaceTracker
  private nonisolated let executor = SerialQueueExecutor(label: "mien.face-worker")

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ models: FaceModels, settings: TrackingSettings, limits: ImageLimits) throws(TrackingFailure) {
    engine = try FaceTracker(models, settings: settings, limits: limits)
  }

  func observe(
    _ frame: EncodedFrame, after track: FaceTrackState, mostPixels: Int
  ) -> (outcome: Result<(observation: FaceObservation, track: FaceTrackState), TrackingFailure>, took: Interval) {
    var next = track
    var outcome: Result<(observation: FaceObservation, track: FaceTrackState), TrackingFailure>?
    let took = ContinuousClock().measure {
      outcome = Result { () throws(TrackingFailure) in
        (observation: try engine.observe(frame, mostPixels: mostPixels, after: &next), track: next)
      }
    }
    guard let outcome else { preconditionFailure("a measured frame has an outcome") }
    return (outcome, .seconds(took / .seconds(1)))
  }
}
