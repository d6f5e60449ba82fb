import Dispatch
public import MienCodecs
import MienInference
public import MienCore
public import MienService
import Synchronization

/// A few engines shared by every session: as many frames are looked at at once as there are engines. The others wait, and the session
/// that has used the engines least goes next, so that costly frames of some slow down nobody else (``FairQueue``).
public final class FaceTrackerPool: Sendable {
  private enum Readiness {
    case ready
    case failed(TrackingFailure)
  }

  private struct Queue {
    var idle: [FaceTrackerThread]
    var waiting: FairQueue<String, CheckedContinuation<FaceTrackerThread?, Never>>
  }

  /// How many frames of one session may wait; a check sends its next one when it has the reply to the last.
  private static let mostWaitingOfOne = 8

  private let readiness: Readiness
  private let times: OperationTimings
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
    limits: ImageLimits = ImageLimits(), times: OperationTimings = OperationTimings()
  ) {
    self.times = times
    let mostOfOne = min(mostWaiting, Self.mostWaitingOfOne)
    do throws(TrackingFailure) {
      let workers = try Self.makeWorkers(folder, max(engines, 1), settings, limits)
      queue = Mutex(Queue(idle: workers, waiting: FairQueue(capacity: mostWaiting, capacityPerKey: mostOfOne)))
      readiness = .ready
    } catch {
      queue = Mutex(Queue(idle: [], waiting: FairQueue(capacity: 0, capacityPerKey: 0)))
      readiness = .failed(error)
    }
  }

  private static func makeWorkers(
    _ folder: String, _ count: Int, _ settings: TrackingSettings, _ limits: ImageLimits
  ) throws(TrackingFailure) -> [FaceTrackerThread] {
    let runtime: InferenceRuntime
    do throws(InferenceError) { runtime = try InferenceRuntime() } catch { throw .inference(error) }
    // Compiling takes a processor most of a second for each set, so all are compiled at once.
    let made = Mutex([Result<FaceTrackerThread, TrackingFailure>]())
    DispatchQueue.concurrentPerform(iterations: count) { _ in
      let worker = Result { () throws(TrackingFailure) in
        let models: FaceModels
        do throws(InferenceError) {
          models = try FaceModels(folder: folder, runtime: runtime)
        } catch {
          throw TrackingFailure.inference(error)
        }
        return try FaceTrackerThread(models, settings: settings, limits: limits)
      }
      made.withLock { $0.append(worker) }
    }
    return try made.withLock { $0 }.map { (result) throws(TrackingFailure) in try result.get() }
  }

  /// Looks at a frame as soon as an engine is free and it is the session's turn.
  ///
  /// - Throws: ``TrackingFailure``; `track` stays valid then.
  public func process(
    at frame: EncodedFrame, after track: FaceTrackState, in session: FrameSession
  ) async throws(TrackingFailure) -> (observation: FaceObservation, track: FaceTrackState, took: Interval) {
    if case .failed(let failure) = readiness { throw failure }
    let worker = try await hire(for: session.key)
    let span = times.traces.beginPart("models.run", .inside, [.bytes(frame.bytes.count)])
    let (outcome, took) = await worker.observe(frame, after: track, mostPixels: session.mostPixels)
    switch outcome {
    case .success: span?.end()
    case .failure(let error): span?.end(.failed(error))
    }
    release(worker, of: session.key, after: took)
    let seen = try outcome.get()
    return (seen.observation, seen.track, took)
  }

  /// What keeps the pool from seeing; empty when all is well.
  public func missing() -> [UnavailableReason] {
    switch readiness {
    case .ready: []
    case .failed(.inference(let error)): [error.obstacle]
    case .failed(.image): [.modelUnavailable("libturbojpeg")]
    case .failed(.busy): []
    }
  }

  private func hire(for session: String) async throws(TrackingFailure) -> FaceTrackerThread {
    let span = times.traces.beginPart("models.wait")
    var hired: FaceTrackerThread?
    let took = await ContinuousClock().measure { hired = await next(for: session) }
    span?.end()
    guard let hired else { throw .busy(waiting: queue.withLock { $0.waiting.count }) }
    times.note(.wait(.models), took: took)
    return hired
  }

  /// Nil when too many frames wait, those of other sessions or the session's own.
  private func next(for session: String) async -> FaceTrackerThread? {
    await withCheckedContinuation { continuation in
      var refused: CheckedContinuation<FaceTrackerThread?, Never>?
      let started = queue.withLock { queue in
        // Every frame passes the queue, so that what it costs is charged to its session.
        switch queue.waiting.enqueue(continuation, for: session) {
        case .queued: break
        case .refused: refused = continuation
        case .displaced(let other): refused = other
        }
        return Self.start(&queue)
      }
      refused?.resume(returning: nil)
      if let started { started.continuation.resume(returning: started.worker) }
    }
  }

  private func release(_ worker: FaceTrackerThread, of session: String, after took: Interval) {
    let started = queue.withLock { queue in
      queue.waiting.finish(session, cost: took)
      queue.idle.append(worker)
      return Self.start(&queue)
    }
    if let started { started.continuation.resume(returning: started.worker) }
  }

  /// Gives an idle engine to the frame whose turn it is.
  private static func start(
    _ queue: inout Queue
  ) -> (continuation: CheckedContinuation<FaceTrackerThread?, Never>, worker: FaceTrackerThread)? {
    guard let worker = queue.idle.last, let next = queue.waiting.dequeue() else { return nil }
    queue.idle.removeLast()
    return (next.element, worker)
  }
}
