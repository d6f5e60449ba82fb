#if canImport(ARKit) && canImport(UIKit)
  public import AVFoundation
  public import CoreMedia
  internal import CoreVideo
  public import Foundation
  public import MienClient
  public import MienViewModels
  internal import MienCore

  /// The front camera for checks and messages: upright, unmirrored JPEGs, the newest one only.
  ///
  /// Its session is touched on one queue; what else is shared stands behind a lock.
  public final class FrontCamera: NSObject, FlowCamera, @unchecked Sendable {
    /// For a preview layer.
    public let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "mien.front-camera")
    private let output = AVCaptureVideoDataOutput()
    private let encoder = PictureEncoder()
    private let lock = NSLock()
    private var feed: LatestFrameBuffer?
    /// How often the camera was opened: who closes late must not close for who opened since.
    private var turns = 0
    private var newest: MonotonicInstant?
    private var whenInterrupted: (@Sendable () -> Void)?
    private var tokens: [any NSObjectProtocol] = []

    /// The longer side of what is sent, in pixels.
    private static let side: CGFloat = 640
    /// Closer together than this, frames only cost electricity: one is on its way at a time.
    private static let pause = Interval.milliseconds(40)

    override public init() {
      super.init()
      tokens = [AVCaptureSession.wasInterruptedNotification, AVCaptureSession.runtimeErrorNotification].map { name in
        NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { [weak self] _ in
          self?.interrupt()
        }
      }
    }

    deinit {
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    public func permission() async -> CameraPermission { CameraAccess.permission }
    public func ask() async -> CameraPermission { await CameraAccess.ask() }

    /// Is called when a call or another app takes the camera, from no particular thread.
    public func onInterruption(_ work: (@Sendable () -> Void)?) {
      lock.withLock { whenInterrupted = work }
    }

    public func open() async throws -> any FrameSource {
      let turn = lock.withLock {
        turns += 1
        return turns
      }
      let feed = LatestFrameBuffer { [weak self] in self?.stop(turn) }
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        queue.async {
          continuation.resume(with: Result { try self.start(feed) })
        }
      }
      return feed
    }

    private func start(_ feed: LatestFrameBuffer) throws {
      if session.inputs.isEmpty { try configure() }
      lock.withLock {
        self.feed?.finish()
        (self.feed, newest) = (feed, nil)
      }
      session.startRunning()
      guard session.isRunning else { throw ViewError.cameraBusy }
    }

    private func configure() throws {
      guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front) else {
        throw ViewError.cameraAbsent
      }
      guard let input = try? AVCaptureDeviceInput(device: device) else { throw ViewError.cameraBusy }
      session.beginConfiguration()
      defer { session.commitConfiguration() }
      if session.canSetSessionPreset(.vga640x480) { session.sessionPreset = .vga640x480 }
      output.alwaysDiscardsLateVideoFrames = true
      output.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      ]
      output.setSampleBufferDelegate(self, queue: queue)
      guard session.canAddInput(input), session.canAddOutput(output) else { throw ViewError.cameraBusy }
      session.addInput(input)
      session.addOutput(output)
      guard let connection = output.connection(with: .video) else { return }
      if connection.isVideoRotationAngleSupported(90) { connection.videoRotationAngle = 90 }
      // What is sent is as others see the person; only what is shown works like a mirror.
      if connection.isVideoMirroringSupported {
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = false
      }
    }

    private func stop(_ turn: Int) {
      queue.async {
        let isLast = self.lock.withLock {
          guard self.turns == turn else { return false }
          self.feed = nil
          return true
        }
        if isLast { self.session.stopRunning() }
      }
    }

    private func interrupt() {
      let (feed, tell) = lock.withLock {
        defer { self.feed = nil }
        return (self.feed, whenInterrupted)
      }
      guard let feed else { return }
      feed.finish()
      tell?()
    }
  }

  extension FrontCamera: AVCaptureVideoDataOutputSampleBufferDelegate {
    public func captureOutput(
      _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
      guard let buffer = CMSampleBufferGetImageBuffer(sampleBuffer),
        let at = MonotonicInstant(seconds: CMSampleBufferGetPresentationTimeStamp(sampleBuffer).seconds)
      else { return }
      let feed: LatestFrameBuffer? = lock.withLock {
        if let newest, at.since(newest) < Self.pause { return nil }
        newest = at
        return self.feed
      }
      guard let feed, let jpeg = encoder.jpeg(buffer, side: Self.side, quality: 0.8) else { return }
      feed.offer(EncodedFrame(bytes: jpeg, at: at))
    }
  }
#endif
