#if canImport(ARKit) && canImport(UIKit)
  public import ARKit
  internal import CoreGraphics
  internal import CoreVideo
  public import Foundation
  internal import ImageIO
  internal import MienReconstruction
  internal import MienScanFormat
  public import MienViewModels
  internal import MienCore
  internal import UIKit
  internal import Vision

  /// Scanner that uses the rear LiDAR or the front camera: takes photos, and writes depth frames to disk as they
  /// arrive.
  ///
  /// ARKit calls the delegate on one queue, where frames are encoded and written; none is retained. A lock protects all
  /// other shared state.
  public final class ARKitScanner: NSObject, ScanCapturing, ARSessionDelegate, @unchecked Sendable {
    /// Session for a camera preview.
    public let session = ARSession()
    private let source = DepthSource.best
    private let folder: URL
    private let queue = DispatchQueue(label: "mien.room-scanner")
    private let encoder = JPEGFrameEncoder()
    private let lock = NSLock()
    private var coder: ScanFileRecorder?
    /// Guidance for the running scan; accessed only on the queue.
    private var guide: ScanGuidanceEngine?
    private var news: AsyncStream<ScanEvent>.Continuation?
    private var isRunning = false
    private var faceNews: AsyncStream<ScanFace?>.Continuation?
    /// Time of the last search for a face; accessed only on the queue.
    private var lastSearch: TimeInterval = 0
    private var newest: TimeInterval?
    private var tokens: [any NSObjectProtocol] = []

    private static let scan = "scan.mienscan"
    /// Minimum frame interval in seconds: thirty frames per second suffice for hand movements; ARKit delivers sixty.
    private static let pause: TimeInterval = 1.0 / 31
    /// Minimum free disk space in bytes; a scan ends below it.
    private static let minimumFreeBytes = 50_000_000
    /// Seconds between two searches for a face.
    private static let searchPause: TimeInterval = 0.1

    /// - Parameter folder: the app's folder, the same as that of the view model.
    public init(folder: URL) {
      self.folder = folder
      super.init()
      session.delegate = self
      session.delegateQueue = queue
      let center = NotificationCenter.default
      tokens = [
        center.addObserver(forName: ProcessInfo.thermalStateDidChangeNotification, object: nil, queue: nil) {
          [weak self] _ in
          switch ProcessInfo.processInfo.thermalState {
          case .critical: self?.tell(.hot)
          case .nominal, .fair, .serious: break
          @unknown default: break
          }
        },
        center.addObserver(forName: UIApplication.didReceiveMemoryWarningNotification, object: nil, queue: nil) {
          [weak self] _ in self?.tell(.lowMemory)
        },
      ]
    }

    deinit {
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }

    public func permission() async -> CameraPermission { CameraAccess.permission }
    public func ask() async -> CameraPermission { await CameraAccess.ask() }

    public func abilities() async -> ScanCapabilities {
      ScanCapabilities(tracks: ARWorldTrackingConfiguration.isSupported, measuresDepth: source != nil)
    }

    public func freeBytes() async -> Int? { Self.freeBytes(in: folder) }

    /// Starts the camera and its preview.
    public func show() {
      let begins = lock.withLock {
        defer { isRunning = true }
        return !isRunning
      }
      guard begins else { return }
      // Without a depth sensor, photos are taken with the rear camera.
      let configuration = source?.configuration ?? ARWorldTrackingConfiguration()
      session.run(configuration, options: [.resetTracking, .removeExistingAnchors])
    }

    /// Stops the camera.
    public func hide() {
      lock.withLock { isRunning = false }
      session.pause()
    }

    public func photograph() async throws -> CapturedPhoto {
      show()
      let name = "photo-\(UUID().uuidString).jpg"
      let place = folder.appendingPathComponent(name)
      let hasFace: Bool? = try await withCheckedThrowingContinuation { continuation in
        // The handler is sendable: it must not capture the session, which is not.
        session.captureHighResolutionFrame { [self] frame, _ in
          // Not every sensor supports high resolution; the ordinary frame is used instead.
          guard let image = frame?.capturedImage ?? session.currentFrame?.capturedImage,
            // The sensor image is in landscape orientation; for a phone in portrait it is rotated by 90°.
            let jpeg = encoder.jpeg(image, turned: .right, quality: 0.9)
          else { return continuation.resume(throwing: ViewError.cameraLost) }
          do {
            try Data(jpeg).write(to: place, options: .atomic)
          } catch {
            return continuation.resume(throwing: ViewError.lowStorage)
          }
          continuation.resume(returning: Self.hasFace(image))
        }
      }
      return CapturedPhoto(id: name, path: name, hasFace: hasFace)
    }

    public func begin() async throws -> AsyncStream<ScanEvent> {
      guard source != nil else { throw ViewError.noDepth }
      let (stream, continuation) = AsyncStream<ScanEvent>.makeStream(bufferingPolicy: .bufferingNewest(16))
      lock.withLock {
        news?.finish()
        (news, newest) = (continuation, nil)
      }
      show()
      return stream
    }

    public func end() async -> DepthRecording? {
      let news = lock.withLock {
        defer { self.news = nil }
        return self.news
      }
      news?.finish()
      return await withCheckedContinuation { continuation in
        // Queued after the frame that is being written.
        queue.async {
          let take = self.coder?.finish()
          self.coder = nil
          continuation.resume(returning: take)
        }
      }
    }

    public func faces() async -> AsyncStream<ScanFace?> {
      let (stream, continuation) = AsyncStream<ScanFace?>.makeStream(bufferingPolicy: .bufferingNewest(1))
      lock.withLock {
        faceNews?.finish()
        faceNews = continuation
      }
      return stream
    }

    public func size(of path: String) async -> Int {
      let facts = try? FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(path).path)
      return (facts?[.size] as? NSNumber)?.intValue ?? 0
    }

    public func rescued() async -> DepthRecording? {
      ScanFileRecorder.rescued(folder.appendingPathComponent(Self.scan))
    }

    public func discard(_ paths: [String]) async {
      for path in paths where !path.contains("/") {
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(path))
      }
    }

    // MARK: - ARSessionDelegate

    public func session(_ session: ARSession, didUpdate frame: ARFrame) {
      let (news, newest, faceNews) = lock.withLock { (self.news, self.newest, self.faceNews) }
      if let faceNews, frame.timestamp - lastSearch >= Self.searchPause {
        lastSearch = frame.timestamp
        faceNews.yield(face(in: frame))
      }
      guard let news, let source else { return }
      if let newest, frame.timestamp >= newest, frame.timestamp - newest < Self.pause { return }
      guard let map = source.map(of: frame), let written = source.translated(frame, map) else { return }
      lock.withLock { self.newest = frame.timestamp }
      do {
        let coder = try self.coder ?? newTape(for: map, of: source)
        self.coder = coder
        try coder.append(written)
        news.yield(
          .frames(coder.frames, at: written.at, guidance(written)))
        if coder.frames.isMultiple(of: 10), let preview = DepthPreview(map) { news.yield(.preview(preview)) }
        if coder.frames.isMultiple(of: 60), let free = Self.freeBytes(in: folder), free < Self.minimumFreeBytes {
          news.yield(.lowStorage)
        }
      } catch {
        news.yield(.lowStorage)
      }
    }

    public func session(_ session: ARSession, didFailWithError error: any Error) { tell(.cameraLost) }
    public func sessionWasInterrupted(_ session: ARSession) { tell(.interrupted) }

    private func tell(_ word: ScanEvent) {
      lock.withLock { news }?.yield(word)
    }

    private func guidance(_ frame: ScanFrame) -> ScanGuidance {
      guard guide?.see(frame) != nil, let guide else { return ScanGuidance() }
      return ScanGuidance(guide)
    }

    private func newTape(for map: MetricDepthMap, of source: DepthSource) throws -> ScanFileRecorder {
      guard
        let header = ScanHeader(
          device: DeviceName.model, sensor: source.sensor, width: map.width, height: map.height,
          micrometersPerStep: source.step, world: source.world, clock: .boot)
      else { throw ViewError.cameraLost }
      guide = ScanGuidanceEngine(header)
      return try ScanFileRecorder(file: folder.appendingPathComponent(Self.scan), header: header)
    }

    /// Finds the largest face of a frame, with its distance if the frame has depth.
    private func face(in frame: ARFrame) -> ScanFace? {
      let request = VNDetectFaceRectanglesRequest()
      let handler = VNImageRequestHandler(cvPixelBuffer: frame.capturedImage, orientation: .right, options: [:])
      guard (try? handler.perform([request])) != nil,
        let found = request.results?.max(by: { $0.boundingBox.width < $1.boundingBox.width })?.boundingBox
      else { return nil }
      // Vision measures from the bottom.
      let box = SIMD4<Float>(
        Float(found.minX), Float(1 - found.maxY), Float(found.width), Float(found.height))
      return ScanFace(box: box, distance: source?.map(of: frame)?.distance(in: box))
    }

    private static func hasFace(_ image: CVPixelBuffer) -> Bool? {
      let request = VNDetectFaceRectanglesRequest()
      do {
        try VNImageRequestHandler(cvPixelBuffer: image, orientation: .right, options: [:]).perform([request])
      } catch {
        // Detection failed, which differs from no face.
        return nil
      }
      return request.results.map { !$0.isEmpty }
    }

    private static func freeBytes(in folder: URL) -> Int? {
      let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
      return (facts?[.systemFreeSize] as? NSNumber)?.intValue
    }
  }
#endif
