internal import MienAPI
internal import MienCore

/// Runs one check from its first frame to its end.
struct CheckRunner: Sendable {
  let line: CheckConnection
  let camera: any FrameSource
  let clock: any ClientClock
  let retryPolicy: RetryPolicy

  /// Result of a run.
  struct Outcome {
    var ending: SessionEnd
    /// JPEG frame to show as the user's face.
    var face: [UInt8]?
  }

  /// - Throws: `CancellationError`.
  func run(progress: @Sendable (LivenessProgress) -> Void) async throws -> Outcome {
    let (line, clock) = (line, clock)
    let poses = ObservationSender(line: line, camera: camera, clock: clock)
    let pipeline = FramePipeline<(step: LivenessStep, reply: StepResponse)>(
      camera: camera, clock: clock, retryPolicy: retryPolicy
    ) { frame, capturedAt, number in
      let sent = clock.now()
      let answer = try await line.send(frame: frame.bytes, capturedAt: capturedAt, number: number)
      await poses.begin(at: frame.at + Interval(nanoseconds: -capturedAt.nanoseconds))
      let step = try LivenessStep(answer.reply, age: clock.now().since(sent))
      return .init(reply: (step, answer.reply), window: answer.window)
    }
    let depth = DepthSender(line: line, camera: camera)
    defer {
      Task {
        await depth.stop()
        await poses.stop()
      }
    }
    var face: [UInt8]?
    var decided: StepResponse?
    let end = try await pipeline.run { event in
      switch event {
      case .reply(let (step, reply), let frame):
        if (face == nil && !step.outline.isEmpty) || step.instruction == "hold-still" { face = frame }
        progress(.step(step))
        await depth.follow(step.phase)
        if step.phase.isFinal { decided = reply }
      case .unreachable: progress(.unreachable)
      case .busy: progress(.busy)
      }
      return decided != nil
    }
    switch end {
    case .handled:
      guard let decided else { return Outcome(ending: .noFrames, face: face) }
      return Outcome(ending: .decided(decided), face: face)
    case .refused(let error):
      guard error.code == .checkEnded, let reply = error.step, let step = try? LivenessStep(reply) else {
        return Outcome(ending: .refused(error), face: face)
      }
      progress(.step(step))
      return Outcome(ending: .decided(reply), face: face)
    case .noFrames: return Outcome(ending: .noFrames, face: face)
    }
  }
}

/// Sends the depth captures of a camera, one at a time, while the server measures depth.
///
/// A verdict by depth alone arrives with the next frame, whose response then has the last step of the check.
actor DepthSender {
  private let line: CheckConnection
  private let camera: any FrameSource
  private var work: Task<Void, Never>?
  private var isMeasuring = false

  init(line: CheckConnection, camera: any FrameSource) {
    self.line = line
    self.camera = camera
  }

  /// Sends captures in the phase `depth`, also in that of a later attempt, and drops them in every other one.
  ///
  /// Reading goes on in between, because a stream whose reader is canceled has ended.
  func follow(_ phase: LivenessStep.Phase) {
    isMeasuring = phase == .depth
    guard isMeasuring, work == nil else { return }
    work = Task { [line, camera] in
      while !Task.isCancelled, let capture = await camera.nextDepth() {
        guard isMeasuring else { continue }
        do {
          _ = try await line.send(depth: capture)
        } catch let error as ClientError where Self.passing.contains(error.code) {
          // The window is short: the next capture is newer than a repetition of this one.
          continue
        } catch {
          // The check has ended or takes no depth; frames report the outcome.
          return
        }
      }
    }
  }

  func stop() {
    work?.cancel()
    work = nil
  }

  /// Errors after which the next capture may succeed.
  private static let passing: [ClientError.Code] = [.unreachable, .unreadable, .busy, .unavailable, .frameInFlight]
}

/// Sends what the device's own face tracker observes beside the frames of a check, for comparison with the server's own
/// observations.
///
/// The server decides by its frames alone. It refuses observations in a check that was not created for them; nothing
/// more is sent then.
actor ObservationSender {
  /// Time between two requests.
  static let pause = Interval.milliseconds(500)

  private let line: CheckConnection
  private let camera: any FrameSource
  private let clock: any ClientClock
  private var work: Task<Void, Never>?

  init(line: CheckConnection, camera: any FrameSource, clock: any ClientClock) {
    self.line = line
    self.camera = camera
    self.clock = clock
  }

  /// Begins to send, once the server has the first frame.
  ///
  /// - Parameter origin: capture time of that frame.
  func begin(at origin: MonotonicInstant) {
    guard work == nil else { return }
    work = Task { [line, camera, clock] in
      while !Task.isCancelled, let lines = await camera.nextObservations(since: origin) {
        do {
          _ = try await line.send(observationLines: lines)
        } catch let error as ClientError where Self.passing.contains(error.code) {
          // Lost observations cost a comparison, never the check.
        } catch {
          return
        }
        guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
      }
    }
  }

  func stop() {
    work?.cancel()
  }

  /// Errors after which the next observations may be accepted.
  private static let passing: [ClientError.Code] = [.unreachable, .unreadable, .busy, .unavailable, .frameInFlight]
}
