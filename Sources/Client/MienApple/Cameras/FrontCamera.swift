#if canImport(ARKit) && canImport(UIKit)
  public import AVFoundation
  internal import CoreGraphics
  internal import CoreImage
  public import CoreMedia
  internal import CoreVideo
  public import Foundation
  internal import ImageIO
  public import MienClient
  internal import MienCore
  public import MienViewModels

  /// Front camera for checks and messages: delivers the newest frame as an upright, unmirrored JPEG image.
  ///
  /// The session is accessed on a single queue; a lock protects all other shared state.
  public final class FrontCamera: NSObject, FlowCamera, @unchecked Sendable {
    /// Session for a preview layer.
    public let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "mien.front-camera")
    private let output = AVCaptureVideoDataOutput()
    private let encoder = JPEGFrameEncoder()
    private let lock = NSLock()
    private var feed: LatestFrameBuffer?
    /// Number of times the camera was opened: closing an earlier source must not stop a camera opened since.
    private var turns = 0
    private var newest: MonotonicInstant?
    private var quality = FrameQuality()
    private var whenInterrupted: (@Sendable () -> Void)?
    private var tokens: [any NSObjectProtocol] = []

    /// Longer side of the encoded image in pixels.
    private static let side: CGFloat = 480
    /// Minimum interval between frames: encoding more than are sent would waste energy.
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

    /// Sets a handler that is called on an arbitrary thread when a phone call or another app takes the camera.
    public func onInterruption(_ work: (@Sendable () -> Void)?) {
      lock.withLock { whenInterrupted = work }
    }

    public func open() async throws -> any FrameSource {
      let turn = lock.withLock {
        turns += 1
        return turns
      }
      let feed = LatestFrameBuffer(
        onAdapt: { [weak self] bytes in self?.lock.withLock { self?.quality.wanted = bytes } },
        onClose: { [weak self] in self?.stop(turn) })
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
        (self.feed, newest, quality) = (feed, nil, FrameQuality())
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
      // The encoded image shows the person as others see them; only the preview is mirrored.
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
      let (feed, quality): (LatestFrameBuffer?, FrameQuality) = lock.withLock {
        if let newest, at.since(newest) < Self.pause { return (nil, self.quality) }
        newest = at
        return (self.feed, self.quality)
      }
      guard let feed,
        let jpeg = encoder.jpeg(buffer, side: Self.side * quality.size, quality: quality.quality)
      else { return }
      lock.withLock { self.quality.encoded(jpeg.count) }
      feed.offer(EncodedFrame(bytes: jpeg, at: at))
    }
  }

  /// Camera permission of the app, converted to ``CameraPermission``.
  enum CameraAccess {
    static var permission: CameraPermission {
      switch AVCaptureDevice.authorizationStatus(for: .video) {
      case .authorized: .granted
      case .notDetermined: .notDetermined
      case .denied, .restricted: .refused
      @unknown default: .refused
      }
    }

    static func ask() async -> CameraPermission {
      await AVCaptureDevice.requestAccess(for: .video) ? .granted : .refused
    }
  }

  /// Encodes camera images as upright, unmirrored JPEG. Core Image contexts are thread-safe.
  final class JPEGFrameEncoder: @unchecked Sendable {
    private let context = CIContext()
    private let space = CGColorSpaceCreateDeviceRGB()

    /// - Parameters:
    ///   - turned: orientation of the sensor image.
    ///   - side: maximum length of the longer side in pixels; `nil` for no limit.
    ///   - quality: 0…1.
    func jpeg(
      _ buffer: CVPixelBuffer, turned: CGImagePropertyOrientation = .up, side: CGFloat? = nil, quality: CGFloat
    ) -> [UInt8]? {
      var image = CIImage(cvPixelBuffer: buffer).oriented(turned)
      let longest = max(image.extent.width, image.extent.height)
      if let side, longest > side {
        image = image.transformed(by: CGAffineTransform(scaleX: side / longest, y: side / longest))
      }
      let options = [
        CIImageRepresentationOption(rawValue: kCGImageDestinationLossyCompressionQuality as String): quality
      ]
      return context.jpegRepresentation(of: image, colorSpace: space, options: options).map { Array($0) }
    }
  }
#endif
