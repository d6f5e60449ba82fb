#if canImport(ARKit) && canImport(UIKit)
  public import AVFoundation
  internal import CoreVideo
  public import Foundation
  internal import MienViewModels
  internal import MienCore
  internal import MienRecordings
  internal import simd

  /// A photograph with the depth of its scene, where the device measures it: the rear LiDAR, else two lenses, else none.
  ///
  /// The session is touched on one queue.
  public final class DepthCamera: NSObject, @unchecked Sendable {
    /// What was taken.
    struct Shot: Sendable {
      /// A JPEG.
      var photo: [UInt8]
      /// The part `depth_map` of a capture.
      var depth: [UInt8]?
    }

    /// For a preview layer.
    public let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "mien.depth-camera")
    private let output = AVCapturePhotoOutput()
    /// The delegates of photographs under way: the output does not hold them.
    private var underWay: [Int64: PhotoTaker] = [:]

    private static let kinds: [AVCaptureDevice.DeviceType] = [
      .builtInLiDARDepthCamera, .builtInDualWideCamera, .builtInDualCamera, .builtInWideAngleCamera,
    ]

    /// Starts the camera, so that the person sees what will be taken.
    ///
    /// - Throws: ``ViewError``.
    public func show() async throws {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        queue.async {
          continuation.resume(
            with: Result {
              if self.session.inputs.isEmpty { try self.configure() }
              if !self.session.isRunning { self.session.startRunning() }
              guard self.session.isRunning else { throw ViewError.cameraBusy }
            })
        }
      }
    }

    /// Lets the camera go.
    public func hide() {
      queue.async { self.session.stopRunning() }
    }

    func shoot() async throws -> Shot {
      try await show()
      return try await withCheckedThrowingContinuation { continuation in
        queue.async {
          let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
          settings.isDepthDataDeliveryEnabled = self.output.isDepthDataDeliveryEnabled
          // It is a part of its own.
          settings.embedsDepthDataInPhoto = false
          // Holes stay holes: filled ones were not measured.
          settings.isDepthDataFiltered = false
          let id = settings.uniqueID
          let taker = PhotoTaker { [weak self] result in
            continuation.resume(with: result)
            self?.queue.async { [weak self] in self?.underWay[id] = nil }
          }
          self.underWay[id] = taker
          self.output.capturePhoto(with: settings, delegate: taker)
        }
      }
    }

    private func configure() throws {
      let found = Self.kinds.lazy.compactMap { AVCaptureDevice.default($0, for: .video, position: .back) }.first
      guard let device = found else { throw ViewError.cameraAbsent }
      guard let input = try? AVCaptureDeviceInput(device: device) else { throw ViewError.cameraBusy }
      session.beginConfiguration()
      defer { session.commitConfiguration() }
      session.sessionPreset = .photo
      guard session.canAddInput(input), session.canAddOutput(output) else { throw ViewError.cameraBusy }
      session.addInput(input)
      session.addOutput(output)
      output.isDepthDataDeliveryEnabled = output.isDepthDataDeliverySupported
      if let connection = output.connection(with: .video), connection.isVideoRotationAngleSupported(90) {
        connection.videoRotationAngle = 90
      }
    }
  }

  /// Waits for one photograph. Its one callback comes once.
  private final class PhotoTaker: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    private let done: @Sendable (Result<DepthCamera.Shot, any Error>) -> Void

    init(_ done: @escaping @Sendable (Result<DepthCamera.Shot, any Error>) -> Void) {
      self.done = done
    }

    func photoOutput(
      _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
      guard error == nil, let data = photo.fileDataRepresentation() else {
        return done(.failure(ViewError.cameraLost))
      }
      done(.success(DepthCamera.Shot(photo: Array(data), depth: photo.depthData.flatMap(Self.depth))))
    }

    /// The depth as it lies in the sensor, like the pixels of the file; nil when it cannot be told in our format.
    private static func depth(_ data: AVDepthData) -> [UInt8]? {
      let depth = data.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32)
      guard let map = PixelBytes.meters(depth.depthDataMap), let lens = depth.cameraCalibrationData else { return nil }
      let matrix = lens.intrinsicMatrix.columns
      let size = lens.intrinsicMatrixReferenceDimensions
      guard
        let intrinsics = DepthAdapter.intrinsics(
          (matrix.0, matrix.1, matrix.2), from: .corner, image: (size.width, size.height),
          map: (map.width, map.height)),
        let frame = DepthFrame(
          width: map.width, height: map.height, samples: DepthAdapter.steps(map.meters, step: 1000),
          micrometersPerStep: 1000, intrinsics: intrinsics,
          // Of a scene there is no face to name.
          face: FaceBox(x: 0, y: 0, width: 1, height: 1), at: .zero)
      else { return nil }
      return DepthFrameCodec.write([frame])
    }
  }
#endif
