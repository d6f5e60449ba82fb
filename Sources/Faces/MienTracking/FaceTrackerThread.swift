import Dispatch
import MienCodecs
import MienCore

/// A face tracker on a dedicated thread, so that its work never blocks the shared thread pool.
actor FaceTrackerThread {
  private var engine: FaceTracker
  private let executor: DispatchQueueExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ models: FaceModels, settings: TrackingSettings, limits: ImageLimits) throws(TrackingFailure) {
    executor = DispatchQueueExecutor()
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

/// Runs an actor's jobs on a serial dispatch queue.
private final class DispatchQueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "mien.face-worker")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
