public import MienCore

/// Source of a check's frames: a camera, or a recording in a test.
public protocol FrameSource: Sendable {
  /// Returns the newest frame that was not returned before, waiting for one if necessary, or `nil` after the last
  /// frame.
  ///
  /// A frame is an unmirrored JPEG image (640×480 is sufficient) with its capture time on any monotonic clock of the
  /// device. The next frame is requested as soon as it may be sent, also before the response to the previous one; frames
  /// captured in between are outdated and should be skipped. Must return soon after its task is canceled.
  ///
  /// - Throws: any error if the camera fails; the check then ends with `image_capture_failed`.
  func next() async throws -> EncodedFrame?

  /// Called with the size that the next frames should have at most, as the link allows: lower the JPEG quality first, and
  /// then the size of the image to 320×240. A source may ignore it.
  func adapt(toBytes bytes: Int) async

  /// Returns the newest depth capture that was not returned before, waiting for one if necessary, or `nil` if the source
  /// measures no depth or has ended. A capture has the type `application/vnd.mien.depth-frame`
  /// (Documentation/reference/formats/DepthFrame.md). Must return soon after its task is canceled.
  func nextDepth() async -> [UInt8]?

  /// Returns what the device's own face tracker observed since the previous call, as observation lines without a header
  /// (Documentation/reference/formats/ObservationLines.md), waiting for something if there is nothing, or `nil` if the
  /// source tracks no face or has ended. Must return soon after its task is canceled.
  ///
  /// - Parameter origin: capture time of the first frame, on the clock of the frames: the zero of the lines' times.
  func nextObservations(since origin: MonotonicInstant) async -> [UInt8]?

  /// Called once when the check ends, for any reason. Stop the camera here.
  func close() async
}

extension FrameSource {
  public func adapt(toBytes bytes: Int) async {}
  public func nextDepth() async -> [UInt8]? { nil }
  public func nextObservations(since origin: MonotonicInstant) async -> [UInt8]? { nil }
  public func close() async {}
}

/// Frame source for push-based capture callbacks. Buffers only the newest frame, and the newest depth capture.
///
/// One buffer serves one check. `offer` may be called from any thread.
public struct LatestFrameBuffer: FrameSource {
  private let stream: AsyncStream<EncodedFrame>
  private let depths: (stream: AsyncStream<[UInt8]>, continuation: AsyncStream<[UInt8]>.Continuation)
  private let continuation: AsyncStream<EncodedFrame>.Continuation
  private let onAdapt: @Sendable (Int) async -> Void
  private let onClose: @Sendable () async -> Void

  /// - Parameters:
  ///   - onAdapt: called with the number of bytes that frames should have at most; see ``FrameQuality``.
  ///   - onClose: called once when the check ends; stop the camera here.
  public init(
    onAdapt: @escaping @Sendable (Int) async -> Void = { _ in }, onClose: @escaping @Sendable () async -> Void = {}
  ) {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    depths = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.onAdapt = onAdapt
    self.onClose = onClose
  }

  /// Stores a frame, replacing the previous one if it has not been consumed.
  public func offer(_ frame: EncodedFrame) {
    continuation.yield(frame)
  }

  /// Stores a depth capture, replacing the previous one if it has not been consumed.
  public func offer(depth capture: [UInt8]) {
    depths.continuation.yield(capture)
  }

  /// Ends the sequences of frames and of depth captures.
  public func finish() {
    continuation.finish()
    depths.continuation.finish()
  }

  public func next() async -> EncodedFrame? {
    var frames = stream.makeAsyncIterator()
    return await frames.next()
  }

  public func nextDepth() async -> [UInt8]? {
    var captures = depths.stream.makeAsyncIterator()
    return await captures.next()
  }

  public func adapt(toBytes bytes: Int) async { await onAdapt(bytes) }

  public func close() async {
    finish()
    await onClose()
  }
}

/// Drops frames that are out of order or too old to send.
///
/// The server rejects frames older than the previous one and compares the device's clock with its own. Without the
/// filter, frames that waited in a queue or for the network would fail a check that fresh frames would pass.
struct StaleFrameFilter {
  /// Maximum age of a frame when it is sent.
  let oldest: Interval
  private var first: (captured: MonotonicInstant, sent: MonotonicInstant)?
  private var last: MonotonicInstant?

  init(oldest: Interval) {
    self.oldest = oldest
  }

  /// Returns the frame's time since the first frame, or `nil` if the frame must be dropped.
  ///
  /// - Parameters:
  ///   - captured: capture time on the source's clock.
  ///   - now: current time on the check's clock; the origins of the two clocks may differ.
  mutating func admit(_ captured: MonotonicInstant, at now: MonotonicInstant) -> Interval? {
    if let last, captured <= last { return nil }
    guard let first else {
      first = (captured, now)
      last = captured
      return .zero
    }
    let sinceFirst = captured.since(first.captured)
    guard now.since(first.sent).inSeconds - sinceFirst.inSeconds <= oldest.inSeconds else { return nil }
    last = captured
    return sinceFirst
  }
}

/// JPEG quality and size of a camera's frames, adjusted to bring them close to a desired number of bytes.
public struct FrameQuality: Hashable, Sendable {
  private static let lowest = (quality: 0.3, size: 0.667)
  private static let step = (quality: 0.04, size: 0.083)
  private static let first = 0.6
  private static let highest = 0.8

  /// JPEG quality, 0…1.
  public private(set) var quality = first
  /// Factor of the usual size in pixels.
  public private(set) var size = 1.0
  /// Desired number of bytes of a frame.
  public var wanted = 9500

  public init() {}

  /// Adjusts the values after a frame of `bytes` bytes: the quality, and at its limits the size.
  public mutating func encoded(_ bytes: Int) {
    if bytes > wanted {
      if quality <= Self.lowest.quality { size = max(Self.lowest.size, size - Self.step.size) }
      quality = max(Self.lowest.quality, quality - Self.step.quality)
    } else if Double(bytes) < 0.8 * Double(wanted) {
      if quality >= Self.first { size = min(1, size + Self.step.size) }
      quality = min(Self.highest, quality + Self.step.quality / 2)
    }
  }
}
