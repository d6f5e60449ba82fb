internal import Dispatch
public import MienCodecs
public import MienCore
internal import MienInference
public import MienPlatform
internal import MienWorkers
internal import Synchronization

/// A pool of face trackers shared by all sessions, which processes one frame per tracker at a time. Other frames wait,
/// and the session that has used the least tracker time is served next, so that the expensive frames of one session do
/// not slow down the others (`FairQueue`).
public final class FaceTrackerPool: Sendable {
  private enum Readiness {
    case ready
    case failed(TrackingFailure)
  }

  private struct Queue {
    var idle: [FaceTrackerThread]
    var waiting: FairQueue<String, CheckedContinuation<FaceTrackerThread?, Never>>
  }

  /// Maximum number of waiting frames of one session; a check sends its next frame after the response to the last one.
  private static let mostWaitingOfOne = 8

  private let readiness: Readiness
  private let times: OperationTimings
  private let queue: Mutex<Queue>

  /// Loads the models from `folder` and creates `engines` trackers; takes almost a second.
  ///
  /// If this fails, the pool is created nevertheless: ``missing()`` reports the reason and every frame is rejected with
  /// it, so that a server can start and report it.
  ///
  /// - Parameters:
  ///   - folder: folder that `scripts/install-parts` fills.
  ///   - engines: number of frames processed concurrently; one per processor is recommended.
  ///   - mostWaiting: maximum number of frames waiting for a tracker; further ones are rejected as busy.
  ///   - settings: settings of the trackers.
  ///   - limits: largest image that is decoded.
  ///   - times: records the time that frames wait; waiting and processing are traced as parts of the current job.
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
    // Compiling takes almost a second of processor time per set, so all sets are compiled concurrently.
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

  /// Processes a frame as soon as a tracker is free and it is the session's turn.
  ///
  /// - Throws: ``TrackingFailure``; `track` remains valid in that case.
  public func process(
    at frame: EncodedFrame, after track: FaceTrackState, in session: FrameSession
  ) async throws(TrackingFailure) -> (observation: FaceObservation, track: FaceTrackState, took: Interval) {
    if case .failed(let failure) = readiness { throw failure }
    let worker = try await acquireThread(for: session.key)
    let span = times.traces.beginPart("models.run", .internal, [.bytes(frame.bytes.count)])
    let (outcome, took) = await worker.observe(frame, after: track, in: session)
    switch outcome {
    case .success: span?.end()
    case .failure(let error): span?.end(.failed(error))
    }
    release(worker, of: session.key, after: took)
    let seen = try outcome.get()
    return (seen.observation, seen.track, took)
  }

  /// Finds the faces of a still image, which is queued like a frame of ``FrameSession/comparison``.
  ///
  /// - Throws: ``TrackingFailure``.
  func faces(in image: [UInt8], most: Int) async throws(TrackingFailure) -> [FaceObservation] {
    if case .failed(let failure) = readiness { throw failure }
    let key = FrameSession.comparison.key
    let worker = try await acquireThread(for: key)
    let (outcome, took) = await worker.faces(in: image, most: most)
    release(worker, of: key, after: took)
    return try outcome.get()
  }

  /// Returns the reasons why the pool cannot process frames; empty if it is operational.
  public func missing() -> [UnavailableReason] {
    switch readiness {
    case .ready: []
    case .failed(.inference(let error)): [error.obstacle]
    case .failed(.image): [.modelUnavailable("libturbojpeg")]
    case .failed(.busy): []
    }
  }

  private func acquireThread(for session: String) async throws(TrackingFailure) -> FaceTrackerThread {
    let span = times.traces.beginPart("models.wait")
    var acquired: FaceTrackerThread?
    let took = await ContinuousClock().measure { acquired = await next(for: session) }
    span?.end()
    guard let acquired else { throw .busy(waiting: queue.withLock { $0.waiting.count }) }
    times.note(.wait(.models), took: took)
    return acquired
  }

  /// Returns `nil` if too many frames are waiting, either in total or of this session.
  private func next(for session: String) async -> FaceTrackerThread? {
    await withCheckedContinuation { continuation in
      var refused: CheckedContinuation<FaceTrackerThread?, Never>?
      let started = queue.withLock { queue in
        // Every frame passes through the queue, so that its cost is charged to its session.
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

  /// Assigns an idle tracker to the next frame.
  private static func start(
    _ queue: inout Queue
  ) -> (continuation: CheckedContinuation<FaceTrackerThread?, Never>, worker: FaceTrackerThread)? {
    guard let worker = queue.idle.last, let next = queue.waiting.dequeue() else { return nil }
    queue.idle.removeLast()
    return (next.element, worker)
  }
}

extension FaceTrackerPool: FaceTracking {
  public func newTrack() -> FaceTrack { FaceTrack(FaceTrackState()) }

  public func observe(
    _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    guard let state = track.state as? FaceTrackState else {
      preconditionFailure("this track belongs to another tracker")
    }
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
      self.init(.busy, reason: "\(waiting) frames are already waiting")
    }
  }
}

/// A face tracker on a dedicated thread, so that its work never blocks the shared thread pool.
actor FaceTrackerThread {
  private var engine: FaceTracker
  private nonisolated let executor = SerialQueueExecutor(label: "mien.face-worker")

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ models: FaceModels, settings: TrackingSettings, limits: ImageLimits) throws(TrackingFailure) {
    engine = try FaceTracker(models, settings: settings, limits: limits)
  }

  func observe(
    _ frame: EncodedFrame, after track: FaceTrackState, in session: FrameSession
  ) -> (outcome: Result<(observation: FaceObservation, track: FaceTrackState), TrackingFailure>, took: Interval) {
    var next = track
    var outcome: Result<(observation: FaceObservation, track: FaceTrackState), TrackingFailure>?
    let took = ContinuousClock().measure {
      outcome = Result { () throws(TrackingFailure) in
        (
          observation: try engine.observe(
            frame, mostPixels: session.mostPixels,
            formats: session.readsPhotos ? ImageFormat.all : ImageFormat.common, aligning: session.alignsFaces,
            after: &next), track: next
        )
      }
    }
    guard let outcome else { preconditionFailure("a measured frame has an outcome") }
    return (outcome, .seconds(took / .seconds(1)))
  }

  func faces(in image: [UInt8], most: Int) -> (outcome: Result<[FaceObservation], TrackingFailure>, took: Interval) {
    var outcome: Result<[FaceObservation], TrackingFailure> = .success([])
    let took = ContinuousClock().measure {
      outcome = Result { () throws(TrackingFailure) in try engine.faces(in: image, most: most) }
    }
    return (outcome, .seconds(took / .seconds(1)))
  }
}
