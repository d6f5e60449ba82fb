internal import MienCore
public import MienAPI

/// A performance before a camera: frames go out one at a time, as a check's do, until the server has decided.
public struct Performance: Sendable {
  private let line: PerformanceConnection
  private let clock: any ClientClock
  private let patience: RetryPolicy

  public init(
    line: PerformanceConnection, clock: any ClientClock = MonotonicClock(),
    patience: RetryPolicy = RetryPolicy(retries: 3)
  ) {
    self.line = line
    self.clock = clock
    self.patience = patience
  }

  /// Performs until the server's last word.
  ///
  /// - Parameters:
  ///   - camera: is closed at the end, however it came.
  ///   - progress: called for every step; nil when no reply came and it is tried again.
  /// - Throws: ``ClientError`` when the server will not go on or is not there, ``NoFrames``, `CancellationError`.
  public func perform(
    camera: any FrameSource, progress: @Sendable (PerformanceStepResponse?) async -> Void
  ) async throws -> PerformanceStepResponse {
    do {
      let last = try await drive(camera, progress)
      await camera.close()
      return last
    } catch {
      await camera.close()
      throw error
    }
  }

  /// The camera gives no more frames.
  public struct NoFrames: Error, Hashable, Sendable {
    public init() {}
  }

  private func drive(_ camera: any FrameSource, _ progress: @Sendable (PerformanceStepResponse?) async -> Void)
    async throws
    -> PerformanceStepResponse
  {
    var gate = StaleFrameFilter(oldest: patience.oldestFrame)
    var backOff = ExponentialBackoff(patience)
    var refusals = 0
    while true {
      let next: EncodedFrame?
      do {
        next = try await camera.next()
      } catch {
        try Task.checkCancellation()
        throw NoFrames()
      }
      try Task.checkCancellation()
      guard let frame = next else { throw NoFrames() }
      guard let capturedAt = gate.admit(frame.at, at: clock.now()) else { continue }
      do {
        let step = try await line.send(frame: frame.bytes, capturedAt: capturedAt)
        backOff.reset()
        refusals = 0
        await progress(step)
        if !["performing", "calibrating"].contains(step.state) { return step }
      } catch let error as ClientError {
        switch error.code {
        case .unreachable, .unreadable:
          guard let wait = backOff.next() else { throw error }
          await progress(nil)
          try await clock.sleep(for: wait)
        case .busy: try await clock.sleep(for: error.retryAfter ?? .seconds(1))
        default:
          refusals += 1
          guard error.code.isPassing, refusals <= patience.refusals else { throw error }
          try await clock.sleep(for: .milliseconds(100))
        }
      }
    }
  }
}
