#if canImport(ARKit) && canImport(UIKit)
  public import ARKit
  public import Foundation
  internal import ImageIO
  public import MienClient
  internal import MienCore
  public import MienViewModels
  internal import UIKit

  /// Front camera with ARKit's face tracking: frames with depth captures and head poses for checks, or observations for
  /// performances.
  ///
  /// ARKit calls the delegate on one queue, where each frame is converted; none is retained. A lock protects all other
  /// shared state.
  public final class TrueDepthCamera: NSObject, FlowCamera, ARSessionDelegate, @unchecked Sendable {
    /// Session for a preview.
    public let session = ARSession()
    public let measuresDepth = true
    private let queue = DispatchQueue(label: "mien.true-depth-camera")
    private let encoder = JPEGFrameEncoder()
    private let lock = NSLock()
    private var feed: TrackedFrameBuffer?
    private var lines: ObservationLineBuffer?
    /// Number of times the camera was opened: closing an earlier source must not stop a camera opened since.
    private var turns = 0
    private var quality = FrameQuality()
    private var lastFrame: TimeInterval?
    private var lastDepth: TimeInterval?
    private var whenInterrupted: (@Sendable () -> Void)?

    /// Longer side of the encoded image in pixels.
    private static let side: CGFloat = 480
    /// Minimum seconds between two frames, and between two depth captures.
    private static let pause = (frame: 0.04, depth: 0.2)

    override public init() {
      super.init()
      session.delegate = self
      session.delegateQueue = queue
    }

    /// `true` if this device has the camera.
    public static var isSupported: Bool { ARFaceTrackingConfiguration.isSupported }

    public func permission() async -> CameraPermission { CameraAccess.permission }
    public func ask() async -> CameraPermission { await CameraAccess.ask() }

    /// Sets a handler that is called on an arbitrary thread when a phone call or another app takes the camera.
    public func onInterruption(_ work: (@Sendable () -> Void)?) {
      lock.withLock { whenInterrupted = work }
    }

    public func open() async throws -> any FrameSource {
      let turn = nextTurn()
      let feed = TrackedFrameBuffer(
        onAdapt: { [weak self] bytes in self?.lock.withLock { self?.quality.wanted = bytes } },
        onClose: { [weak self] in self?.stop(turn) })
      start { self.feed = feed }
      return feed
    }

    public func openTracker() async throws -> (any ObservationSource)? {
      let turn = nextTurn()
      let lines = ObservationLineBuffer { [weak self] in self?.stop(turn) }
      start { self.lines = lines }
      return lines
    }

    private func nextTurn() -> Int {
      lock.withLock {
        turns += 1
        return turns
      }
    }

    private func start(_ choose: () -> Void) {
      lock.withLock {
        feed?.finish()
        lines?.finish()
        (feed, lines, quality, lastFrame, lastDepth) = (nil, nil, FrameQuality(), nil, nil)
        choose()
      }
      let configuration = ARFaceTrackingConfiguration()
      configuration.maximumNumberOfTrackedFaces = ARFaceTrackingConfiguration.supportedNumberOfTrackedFaces
      session.run(configuration, options: [.resetTracking, .removeExistingAnchors])
    }

    private func stop(_ turn: Int) {
      let isLast = lock.withLock {
        guard turns == turn else { return false }
        (feed, lines) = (nil, nil)
        return true
      }
      if isLast { session.pause() }
    }

    // MARK: - ARSessionDelegate

    public func session(_ session: ARSession, didUpdate frame: ARFrame) {
      let (feed, lines) = lock.withLock { (self.feed, self.lines) }
      let observation = FaceTracker.observation(of: frame)
      if let lines, let observation { lines.offer(observation) }
      guard let feed else { return }
      if let observation { feed.offer(observation) }
      offerImage(of: frame, to: feed)
      if let observation { offerDepth(of: frame, observation, to: feed) }
    }

    private func offerImage(of frame: ARFrame, to feed: TrackedFrameBuffer) {
      let (isDue, quality) = lock.withLock {
        let isDue = lastFrame.map { frame.timestamp - $0 >= Self.pause.frame } ?? true
        if isDue { lastFrame = frame.timestamp }
        return (isDue, self.quality)
      }
      guard isDue, let at = MonotonicInstant(seconds: frame.timestamp),
        let jpeg = encoder.jpeg(
          frame.capturedImage, turned: .right, side: Self.side * quality.size, quality: quality.quality)
      else { return }
      lock.withLock { self.quality.encoded(jpeg.count) }
      feed.frames.offer(EncodedFrame(bytes: jpeg, at: at))
    }

    private func offerDepth(of frame: ARFrame, _ observation: ClientObservation, to feed: TrackedFrameBuffer) {
      let isDue = lock.withLock { lastDepth.map { frame.timestamp - $0 >= Self.pause.depth } ?? true }
      // Depth arrives less often than images, and belongs to one face only.
      guard isDue, observation.faceCount == 1,
        let face = observation.box, let map = DepthSource.trueDepth.map(of: frame),
        let intrinsics = DepthSource.trueDepth.intrinsics(of: frame, map),
        let capture = FaceDepthCapture.encoded(map, intrinsics, face: face, at: frame.timestamp)
      else { return }
      lock.withLock { lastDepth = frame.timestamp }
      feed.frames.offer(depth: capture)
    }

    public func session(_ session: ARSession, didFailWithError error: any Error) {
      end((error as? ARError)?.code == .cameraUnauthorized ? .cameraRefused : .cameraLost)
    }

    public func sessionWasInterrupted(_ session: ARSession) { end(.interrupted) }

    private func end(_ problem: ViewError) {
      let (feed, lines, tell) = lock.withLock {
        defer { (self.feed, self.lines) = (nil, nil) }
        return (self.feed, self.lines, whenInterrupted)
      }
      guard feed != nil || lines != nil else { return }
      feed?.finish()
      lines?.finish(throwing: problem)
      tell?()
    }
  }

  /// Front camera of this device: with depth and face tracking where the device has them.
  public enum FaceCamera: FlowCamera {
    case plain(FrontCamera)
    case depth(TrueDepthCamera)

    /// Camera of this device.
    public static func best() -> FaceCamera {
      TrueDepthCamera.isSupported ? .depth(TrueDepthCamera()) : .plain(FrontCamera())
    }

    private var camera: any FlowCamera {
      switch self {
      case .plain(let camera): camera
      case .depth(let camera): camera
      }
    }

    public var measuresDepth: Bool { camera.measuresDepth }
    public func permission() async -> CameraPermission { await camera.permission() }
    public func ask() async -> CameraPermission { await camera.ask() }
    public func open() async throws -> any FrameSource { try await camera.open() }
    public func openTracker() async throws -> (any ObservationSource)? { try await camera.openTracker() }

    /// Sets a handler that is called on an arbitrary thread when a phone call or another app takes the camera.
    public func onInterruption(_ work: (@Sendable () -> Void)?) {
      switch self {
      case .plain(let camera): camera.onInterruption(work)
      case .depth(let camera): camera.onInterruption(work)
      }
    }
  }
#endif
