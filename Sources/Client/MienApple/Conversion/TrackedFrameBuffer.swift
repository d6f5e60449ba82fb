public import MienClient
public import MienCore

/// Frame source of a camera with a face tracker: frames, depth captures, and the head poses that the tracker observes
/// beside them.
///
/// Only poses are sent: the server compares nothing else with its own observations.
public struct TrackedFrameBuffer: FrameSource {
  /// Frames and depth captures.
  public let frames: LatestFrameBuffer
  private let poses: ObservationLineBuffer

  /// - Parameters:
  ///   - onAdapt: called with the number of bytes that frames should have at most.
  ///   - onClose: called once when the check ends; stop the camera here.
  public init(
    onAdapt: @escaping @Sendable (Int) async -> Void = { _ in }, onClose: @escaping @Sendable () async -> Void = {}
  ) {
    frames = LatestFrameBuffer(onAdapt: onAdapt, onClose: onClose)
    poses = ObservationLineBuffer(pace: Self.pace)
  }

  /// Minimum interval between two poses; the server compares no more.
  static let pace = Interval.milliseconds(50)

  /// Adds an observation of the tracker, whose time is on the clock of the frames.
  public func offer(_ observation: ClientObservation) {
    var observation = observation
    observation.blendshapes = nil
    poses.offer(observation)
  }

  /// Ends all sequences.
  public func finish() {
    frames.finish()
    poses.finish()
  }

  public func next() async -> EncodedFrame? { await frames.next() }
  public func nextDepth() async -> [UInt8]? { await frames.nextDepth() }
  public func nextObservations(since origin: MonotonicInstant) async -> [UInt8]? {
    try? await poses.next(since: origin)
  }
  public func adapt(toBytes bytes: Int) async { await frames.adapt(toBytes: bytes) }

  public func close() async {
    poses.finish()
    await frames.close()
  }
}
