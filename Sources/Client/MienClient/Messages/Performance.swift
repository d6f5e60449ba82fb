internal import MienCore
public import MienAPI

/// Performance of a sequence in front of a camera: sends frames one at a time, as for a check, until the server
/// decides.
public struct Performance: Sendable {
  private let line: PerformanceConnection
  private let clock: any ClientClock
  private let retryPolicy: RetryPolicy

  public init(
    line: PerformanceConnection, clock: any ClientClock = MonotonicClock(),
    retryPolicy: RetryPolicy = RetryPolicy(retries: 3)
  ) {
    self.line = line
    self.clock = clock
    self.retryPolicy = retryPolicy
  }

  /// Performs until the server reports a final state.
  ///
  /// - Parameters:
  ///   - camera: closed at the end in every case.
  ///   - progress: called for every step, and with `nil` before a retry after a missing response.
  /// - Throws: ``ClientError`` if the server rejects the performance or cannot be reached, ``NoFrames``,
  ///   `CancellationError`.
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

  /// Error thrown if the camera delivers no more frames.
  public struct NoFrames: Error, Hashable, Sendable {
    public init() {}
  }

  private func drive(_ camera: any FrameSource, _ progress: @Sendable (PerformanceStepResponse?) async -> Void)
    async throws
    -> PerformanceStepResponse
  {
    var gate = StaleFrameFilter(oldest: retryPolicy.oldestFrame)
    var backOff = ExponentialBackoff(retryPolicy)
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
          guard error.code.isPassing, refusals <= retryPolicy.refusals else { throw error }
          try await clock.sleep(for: .milliseconds(100))
        }
      }
    }
  }
}
