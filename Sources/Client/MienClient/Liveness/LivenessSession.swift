/// A check under way: what it does comes one by one, its result at the end.
///
/// ```swift
/// let run = liveness.run(camera: camera)
/// for await progress in run { screen.show(progress) }
/// let data = try await run.result()
/// ```
///
/// Cancelling the task that waits for either ends the check. Leaving the loop early does not.
public struct LivenessSession: AsyncSequence, Sendable {
  public typealias Element = LivenessProgress

  private let steps: AsyncStream<LivenessProgress>
  private let work: Task<LivenessData, any Error>
  private let notice: CloseCallback

  init(
    onClose: (@MainActor @Sendable () -> Void)?,
    _ perform: @escaping @Sendable (@escaping @Sendable (LivenessProgress) -> Void) async throws -> LivenessData
  ) {
    // A screen that is slow shows the newest steps; old ones are in the past.
    let (steps, continuation) = AsyncStream<LivenessProgress>.makeStream(bufferingPolicy: .bufferingNewest(32))
    let notice = CloseCallback(onClose)
    self.steps = steps
    self.notice = notice
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

  /// What came of the check.
  ///
  /// - Throws: `CancellationError` when the check was closed before its end. Everything else is a result.
  public func result() async throws -> LivenessData {
    try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  /// Ends the check if it is under way: no more frames go out, the camera is let go, and `onClose` is called, once.
  ///
  /// The server hears nothing more and times the check out.
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
