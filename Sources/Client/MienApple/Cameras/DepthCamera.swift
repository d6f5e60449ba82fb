#if canImport(ARKit) && canImport(UIKit)
  public import AVFoundation
  internal import CoreVideo
  public import Foundation
  internal import MienViewModels
  internal import MienCore
  internal import MienRecordings
  internal import simd

  /// Camera that takes photos with depth if the device measures it: rear LiDAR, otherwise a dual camera, otherwise no
  /// depth.
  ///
  /// The session is accessed on a single queue.
  public final class DepthCamera: NSObject, @unchecked Sendable {
    /// Captured photo with depth.
    struct Shot: Sendable {
      /// JPEG image.
      var photo: [UInt8]
      /// Bytes of the part `depth_map` of a capture.
      var depth: [UInt8]?
    }

    /// Session for a preview layer.
    public let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "mien.depth-camera")
    private let output = AVCapturePhotoOutput()
    /// Delegates of photos in progress, which the output does not retain.
    private var underWay: [Int64: PhotoTaker] = [:]

    private static let kinds: [AVCaptureDevice.DeviceType] = [
      .builtInLiDARDepthCamera, .builtInDualWideCamera, .builtInDualCamera, .builtInWideAngleCamera,
    ]

    /// Starts the camera and its preview.
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

    /// Stops the camera.
    public func hide() {
      queue.async { self.session.stopRunning() }
    }

    func shoot() async throws -> Shot {
      try await show()
      return try await withCheckedThrowingContinuation { continuation in
        queue.async {
          let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
          settings.isDepthDataDeliveryEnabled = self.output.isDepthDataDeliveryEnabled
          // Depth is sent as a separate part.
          settings.embedsDepthDataInPhoto = false
          // Unfiltered: filled holes would be values that were not measured.
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

  /// Delegate for one photo, which calls its completion handler once.
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

    /// Encodes the depth map in sensor orientation, like the pixels of the file. Returns `nil` if it cannot be encoded.
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
          // Scenes have no face box, so that the whole map is used.
          face: FaceBox(x: 0, y: 0, width: 1, height: 1), at: .zero)
      else { return nil }
      return DepthFrameCodec.write([frame])
    }
  }
#endif
