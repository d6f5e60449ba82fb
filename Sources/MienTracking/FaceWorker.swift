import Dispatch
import MienCodecs
import MienModel

/// One engine on a thread of its own, so that its work never blocks the threads that everything else runs on.
actor FaceWorker {
  private var engine: FaceEngine
  private let executor: QueueExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ models: FaceModels, settings: TrackingSettings, limits: PictureLimits) throws(TrackingFailure) {
    executor = QueueExecutor()
    engine = try FaceEngine(models, settings: settings, limits: limits)
  }

  func observe(
    _ frame: EncodedFrame, after track: FaceTrack
  ) throws(TrackingFailure) -> (observation: FaceObservation, track: FaceTrack) {
    var next = track
    let observation = try engine.observe(frame, after: &next)
    return (observation, next)
  }
}

/// Runs an actor's jobs on a serial dispatch queue.
private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "mien.face-worker")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
