internal import MienCore
internal import MienAPI

/// Runs one check from its first frame to its end: sends the next frame after each response.
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
    var gate = StaleFrameFilter(oldest: retryPolicy.oldestFrame)
    var backOff = ExponentialBackoff(retryPolicy)
    var refusals = 0
    var face: [UInt8]?
    while true {
      let next = await nextFrame()
      try Task.checkCancellation()
      guard let frame = next else { return Outcome(ending: .noFrames, face: face) }
      guard let capturedAt = gate.admit(frame.at, at: clock.now()) else { continue }
      do {
        let reply = try await line.send(frame: frame.bytes, capturedAt: capturedAt)
        let step = try LivenessStep(reply)
        backOff.reset()
        refusals = 0
        if (face == nil && !step.outline.isEmpty) || step.instruction == "hold-still" { face = frame.bytes }
        progress(.step(step))
        if step.phase.isFinal { return Outcome(ending: .decided(reply), face: face) }
      } catch let error as ClientError {
        switch error.code {
        case .checkEnded:
          guard let reply = error.step, let step = try? LivenessStep(reply) else {
            return Outcome(ending: .refused(error), face: face)
          }
          progress(.step(step))
          return Outcome(ending: .decided(reply), face: face)
        case .unreachable, .unreadable:
          guard let wait = backOff.next() else { return Outcome(ending: .refused(error), face: face) }
          progress(.unreachable)
          try await clock.sleep(for: wait)
        case .busy:
          // The server sets the delay; the check's own lifetime limits the total.
          progress(.busy)
          try await clock.sleep(for: error.retryAfter ?? .seconds(1))
        default:
          refusals += 1
          guard error.code.isPassing, refusals <= retryPolicy.refusals else {
            return Outcome(ending: .refused(error), face: face)
          }
          try await clock.sleep(for: .milliseconds(100))
        }
      }
    }
  }

  /// Returns the next frame, or `nil` if the camera ended, failed, or delivered none within the timeout.
  private func nextFrame() async -> EncodedFrame? {
    await withTaskGroup(of: EncodedFrame?.self) { race in
      race.addTask { try? await camera.next() }
      race.addTask {
        try? await clock.sleep(for: retryPolicy.camera)
        return nil
      }
      let first = await race.next()
      race.cancelAll()
      return first ?? nil
    }
  }
}
