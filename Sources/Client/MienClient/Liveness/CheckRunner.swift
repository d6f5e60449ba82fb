internal import MienCore
internal import MienAPI

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
