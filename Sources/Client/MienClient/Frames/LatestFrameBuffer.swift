public import MienCore

/// Frame source for push-based capture callbacks. Buffers only the newest frame.
///
/// One buffer serves one check. `offer` may be called from any thread.
public struct LatestFrameBuffer: FrameSource {
  private let stream: AsyncStream<EncodedFrame>
  private let continuation: AsyncStream<EncodedFrame>.Continuation
  private let onClose: @Sendable () async -> Void

  /// - Parameter onClose: called once when the check ends; stop the camera here.
  public init(onClose: @escaping @Sendable () async -> Void = {}) {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.onClose = onClose
  }

  /// Stores a frame, replacing the previous one if it has not been consumed.
  public func offer(_ frame: EncodedFrame) {
    continuation.yield(frame)
  }

  /// Ends the sequence of frames.
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
