public import MienAPI
internal import MienCore

/// Performance of a sequence in front of a camera: sends frames, as for a check, until the server decides.
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

  /// Performs with the observations of the device's own face tracker until the server reports a final state.
  ///
  /// - Parameters:
  ///   - tracker: closed at the end in every case.
  ///   - progress: called for every step, and with `nil` before a retry after a missing response.
  /// - Throws: ``ClientError``, with ``ClientError/Code/sourceNotAllowed`` if the server or the message takes frames only;
  ///   ``NoFrames``, `CancellationError`.
  public func perform(
    tracker: any ObservationSource, progress: @Sendable (PerformanceStepResponse?) async -> Void
  ) async throws -> PerformanceStepResponse {
    do {
      let last = try await follow(tracker, progress)
      await tracker.close()
      return last
    } catch {
      await tracker.close()
      throw error
    }
  }

  private func follow(
    _ tracker: any ObservationSource, _ progress: @Sendable (PerformanceStepResponse?) async -> Void
  ) async throws -> PerformanceStepResponse {
    var backOff = ExponentialBackoff(retryPolicy)
    while let lines = try await tracker.next() {
      try Task.checkCancellation()
      do {
        let step = try await line.send(observationLines: lines)
        backOff.reset()
        await progress(step)
        if !["performing", "calibrating"].contains(step.state) { return step }
      } catch let error as ClientError where [.unreachable, .unreadable, .busy].contains(error.code) {
        // The lines are lost; those that follow are newer.
        guard let wait = error.retryAfter ?? backOff.next() else { throw error }
        await progress(nil)
        try await clock.sleep(for: wait)
      }
    }
    try Task.checkCancellation()
    throw NoFrames()
  }

  /// Error thrown if the camera delivers no more frames.
  public struct NoFrames: Error, Hashable, Sendable {
    public init() {}
  }

  private func drive(_ camera: any FrameSource, _ progress: @Sendable (PerformanceStepResponse?) async -> Void)
    async throws -> PerformanceStepResponse
  {
    let line = line
    let pipeline = FramePipeline<PerformanceStepResponse>(
      camera: camera, clock: clock, retryPolicy: retryPolicy
    ) { frame, capturedAt, number in
      try await line.send(frame: frame.bytes, capturedAt: capturedAt, number: number)
    }
    var last: PerformanceStepResponse?
    let end = try await pipeline.run { event in
      switch event {
      case .reply(let step, _):
        await progress(step)
        if step.state != "performing" { last = step }
      case .unreachable: await progress(nil)
      case .busy: break
      }
      return last != nil
    }
    if case .refused(let error) = end { throw error }
    try Task.checkCancellation()
    guard let last else { throw NoFrames() }
    return last
  }
}

/// Face tracker of the device, whose observations a performance sends in the place of frames.
///
/// They are claims of the device: the server accepts them only if it allows that, and only for messages that do not
/// require frames.
public protocol ObservationSource: Sendable {
  /// Returns the observations since the previous call as observation lines without a header
  /// (Documentation/reference/formats/ObservationLines.md), waiting for some if there are none; `nil` after the last one. Must return
  /// soon after its task is canceled.
  ///
  /// - Throws: any error if tracking fails.
  func next() async throws -> [UInt8]?

  /// Called once when the performance ends, for any reason. Stop tracking here.
  func close() async
}
