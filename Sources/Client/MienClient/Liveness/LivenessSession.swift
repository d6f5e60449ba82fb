/// Check in progress: an asynchronous sequence of its steps, with a result at the end.
///
/// ```swift
/// let run = liveness.run(camera: camera)
/// for await progress in run { screen.show(progress) }
/// let data = try await run.result()
/// ```
///
/// Canceling the task that awaits either one ends the check. Leaving the loop early does not.
public struct LivenessSession: AsyncSequence, Sendable {
  public typealias Element = LivenessProgress

  private let steps: AsyncStream<LivenessProgress>
  private let work: Task<LivenessData, any Error>
  private let notice: CloseCallback
  private let connection: ConnectionHolder

  init(
    onClose: (@MainActor @Sendable () -> Void)?, connection: ConnectionHolder = ConnectionHolder(),
    _ perform: @escaping @Sendable (@escaping @Sendable (LivenessProgress) -> Void) async throws -> LivenessData
  ) {
    // A slow consumer gets the newest steps; older ones are outdated.
    let (steps, continuation) = AsyncStream<LivenessProgress>.makeStream(bufferingPolicy: .bufferingNewest(32))
    let notice = CloseCallback(onClose)
    self.steps = steps
    self.notice = notice
    self.connection = connection
    work = Task {
      defer { continuation.finish() }
      do {
        return try await perform { continuation.yield($0) }
      } catch {
        await notice.notify()
        throw error
      }
    }
  }

  /// Waits for the result of the check.
  ///
  /// - Throws: `CancellationError` if the check was closed before its end. All other outcomes are results.
  public func result() async throws -> LivenessData {
    try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  /// Declines the current light task (``LightColors/canDecline``). The next steps contain the task that replaces it.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`; the task is then unchanged.
  public func decline() async throws { try await connection.decline() }

  /// Ends the check if it is in progress: stops sending frames, closes the camera and calls `onClose` once.
  ///
  /// The server is not notified; the check times out there.
  public func close() {
    work.cancel()
    Task { [notice] in await notice.notify() }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(steps: steps.makeAsyncIterator(), work: work) }

  public struct Iterator: AsyncIteratorProtocol {
    var steps: AsyncStream<LivenessProgress>.Iterator
    let work: Task<LivenessData, any Error>

    public mutating func next() async -> LivenessProgress? {
      if Task.isCancelled { work.cancel() }
      let work = work
      return await withTaskCancellationHandler {
        await steps.next()
      } onCancel: {
        work.cancel()
      }
    }
  }
}

/// Calls `onClose` once.
private actor CloseCallback {
  private var onClose: (@MainActor @Sendable () -> Void)?

  init(_ onClose: (@MainActor @Sendable () -> Void)?) {
    self.onClose = onClose
  }

  func notify() async {
    let call = onClose
    onClose = nil
    await call?()
  }
}
