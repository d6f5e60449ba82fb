public import MienCore

/// A frame source to push frames into, as a capture callback does: it keeps the newest one only, never a queue.
///
/// One feed serves one check. `offer` may be called from any thread.
public struct LatestFrameBuffer: FrameSource {
  private let stream: AsyncStream<EncodedFrame>
  private let continuation: AsyncStream<EncodedFrame>.Continuation
  private let onClose: @Sendable () async -> Void

  /// - Parameter onClose: called once when the check is over; stop the camera here.
  public init(onClose: @escaping @Sendable () async -> Void = {}) {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.onClose = onClose
  }

  /// Puts a frame in the place of the one before, if that was not taken.
  public func offer(_ frame: EncodedFrame) {
    continuation.yield(frame)
  }

  /// Says that there will be no more frames.
  public func finish() {
    continuation.finish()
  }

  public func next() async -> EncodedFrame? {
    var frames = stream.makeAsyncIterator()
    return await frames.next()
  }

  public func close() async {
    continuation.finish()
    await onClose()
  }
}
