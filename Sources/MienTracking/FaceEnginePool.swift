import Dispatch
public import MienCodecs
import MienInference
public import MienModel
public import MienService
import Synchronization

/// A few engines shared by every session: as many frames are looked at at once as there are engines, the others wait in
/// the order they came.
public final class FaceEnginePool: Sendable {
  private enum Readiness {
    case ready
    case failed(TrackingFailure)
  }

  private struct Queue {
    var idle: [FaceWorker]
    var waiting: [CheckedContinuation<FaceWorker, Never>] = []
  }

  private let readiness: Readiness
  private let mostWaiting: Int
  private let times: WorkTimes
  private let queue: Mutex<Queue>

  /// Loads the models from `folder` and makes `engines` engines; takes the better part of a second.
  ///
  /// When that fails, the pool is made all the same: ``obstacles()`` says what is missing and every frame is refused with
  /// it, so that a server can start and tell.
  ///
  /// - Parameters:
  ///   - engines: how many frames are looked at at once; one for each processor is right.
  ///   - mostWaiting: how many frames may wait for an engine; further ones are refused as busy.
  ///   - times: counts how long frames wait for one; that, and looking, are written down as parts of the job they are done for.
  public init(
    models folder: String, engines: Int, mostWaiting: Int = 64, settings: TrackingSettings = TrackingSettings(),
    limits: PictureLimits = PictureLimits(), times: WorkTimes = WorkTimes()
  ) {
    self.times = times
    self.mostWaiting = mostWaiting
    do throws(TrackingFailure) {
      let workers = try Self.makeWorkers(folder, max(engines, 1), settings, limits)
      queue = Mutex(Queue(idle: workers))
      readiness = .ready
    } catch {
      queue = Mutex(Queue(idle: []))
      readiness = .failed(error)
    }
  }

  private static func makeWorkers(
    _ folder: String, _ count: Int, _ settings: TrackingSettings, _ limits: PictureLimits
  ) throws(TrackingFailure) -> [FaceWorker] {
    let runtime: InferenceRuntime
    do throws(InferenceError) { runtime = try InferenceRuntime() } catch { throw .inference(error) }
    // Compiling takes a processor most of a second for each set, so all are compiled at once.
    let made = Mutex([Result<FaceWorker, TrackingFailure>]())
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      let worker = Result { () throws(TrackingFailure) in
        let models: FaceModels
        do throws(InferenceError) {
          models = try FaceModels(folder: folder, runtime: runtime)
        } catch {
          throw TrackingFailure.inference(error)
        }
        return try FaceWorker(models, settings: settings, limits: limits)
      }
      made.withLock { $0.append(worker) }
    }
    return try made.withLock { $0 }.map { (result) throws(TrackingFailure) in try result.get() }
  }

  /// Looks at a frame as soon as an engine is free.
  ///
  /// - Throws: ``TrackingFailure``; `track` stays valid then.
  public func look(
    at frame: EncodedFrame, after track: FaceTrack
  ) async throws(TrackingFailure) -> (observation: FaceObservation, track: FaceTrack) {
    if case .failed(let failure) = readiness { throw failure }
    let worker = try await hire()
    let span = times.traces.beginPart("models.run", .inside, [.bytes(frame.bytes.count)])
    let outcome: Result<(observation: FaceObservation, track: FaceTrack), TrackingFailure>
    do throws(TrackingFailure) {
      outcome = .success(try await worker.observe(frame, after: track))
      span?.end()
    } catch {
      outcome = .failure(error)
      span?.end(.failed(error))
    }
    release(worker)
    return try outcome.get()
  }

  /// What keeps the pool from seeing; empty when all is well.
  public func missing() -> [Obstacle] {
    switch readiness {
    case .ready: []
    case .failed(.inference(let error)): [error.obstacle]
    case .failed(.picture): [.modelUnavailable("libturbojpeg")]
    case .failed(.busy): []
    }
  }

  private func hire() async throws(TrackingFailure) -> FaceWorker {
    let worker: FaceWorker? = queue.withLock { queue in queue.idle.popLast() }
    if let worker {
      times.note(.wait(.models), took: .zero)
      return worker
    }
    let waiting = queue.withLock { $0.waiting.count }
    guard waiting < mostWaiting else { throw .busy(waiting: waiting) }
    let span = times.traces.beginPart("models.wait")
    var hired: FaceWorker?
    let took = await ContinuousClock().measure { hired = await next() }
    span?.end()
    times.note(.wait(.models), took: took)
    guard let hired else { preconditionFailure("who waits gets an engine") }
    return hired
  }

  private func next() async -> FaceWorker {
    await withCheckedContinuation { continuation in
      // An engine may have become free, or the queue full, since it was asked above; one too many does no harm.
      let worker: FaceWorker? = queue.withLock { queue in
        if let worker = queue.idle.popLast() { return worker }
        queue.waiting.append(continuation)
        return nil
      }
      if let worker { continuation.resume(returning: worker) }
    }
  }

  private func release(_ worker: FaceWorker) {
    let next: CheckedContinuation<FaceWorker, Never>? = queue.withLock { queue in
      if !queue.waiting.isEmpty { return queue.waiting.removeFirst() }
      queue.idle.append(worker)
      return nil
    }
    next?.resume(returning: worker)
  }
}
