#if canImport(ARKit) && canImport(UIKit)
  public import ARKit
  public import Foundation
  internal import MienViewModels
  internal import MienCore
  internal import UIKit
  internal import simd

  /// ARKit face tracking, with each frame converted to plain values.
  ///
  /// The session calls its delegate on one queue, where each frame is converted; no frame is retained.
  public final class FaceTracker: NSObject, ARSessionDelegate, @unchecked Sendable {
    /// Session for a camera preview.
    public let session = ARSession()
    private let queue = DispatchQueue(label: "mien.face-tracker")
    private let lock = NSLock()
    private var moments: AsyncThrowingStream<ARFrameSnapshot, any Error>.Continuation?

    override public init() {
      super.init()
      session.delegate = self
      session.delegateQueue = queue
    }

    /// `true` if this device supports face tracking.
    public static var isSupported: Bool { ARFaceTrackingConfiguration.isSupported }

    /// Tracks faces until the stream is released.
    ///
    /// The stream throws ``ViewError``: `noTracking` if the device does not support it, `interrupted`, `cameraRefused`
    /// or `cameraLost` when tracking ends. Slow consumers skip older snapshots, never the newest.
    public func run() -> AsyncThrowingStream<ARFrameSnapshot, any Error> {
      let (stream, continuation) = AsyncThrowingStream<ARFrameSnapshot, any Error>.makeStream(
        bufferingPolicy: .bufferingNewest(8))
      guard Self.isSupported else {
        continuation.finish(throwing: ViewError.noTracking)
        return stream
      }
      lock.withLock {
        moments?.finish()
        moments = continuation
      }
      continuation.onTermination = { [weak self] _ in self?.session.pause() }
      let configuration = ARFaceTrackingConfiguration()
      configuration.isLightEstimationEnabled = true
      // Maximum supported number, so that several faces are detected.
      configuration.maximumNumberOfTrackedFaces = ARFaceTrackingConfiguration.supportedNumberOfTrackedFaces
      session.run(configuration, options: [.resetTracking, .removeExistingAnchors])
      return stream
    }

    public func session(_ session: ARSession, didUpdate frame: ARFrame) {
      guard let observation = Self.observation(of: frame) else { return }
      let light = frame.lightEstimate.flatMap {
        LightEstimate(lumens: $0.ambientIntensity, kelvin: $0.ambientColorTemperature)
      }
      let moments = lock.withLock { self.moments }
      moments?.yield(ARFrameSnapshot(observation: observation, light: light))
    }

    /// Converts the tracked faces of a frame. Returns `nil` if its time is invalid.
    static func observation(of frame: ARFrame) -> ClientObservation? {
      let camera = frame.camera
      let size = CGSize(width: camera.imageResolution.height, height: camera.imageResolution.width)
      let faces = frame.anchors.compactMap { $0 as? ARFaceAnchor }.map { anchor in
        var coefficients: [String: Float] = [:]
        for (name, value) in anchor.blendShapes { coefficients[name.rawValue] = value.floatValue }
        return TrackedFace(
          coefficients: coefficients, faceToWorld: TransformMatrix(anchor.transform), isTracked: anchor.isTracked,
          outline: outline(of: anchor, by: camera, in: size))
      }
      // Axes of a phone in portrait orientation, independent of the sensor's own.
      let worldToCamera = TransformMatrix(camera.viewMatrix(for: .portrait))
      return FaceAdapter.observation(of: faces, worldToCamera: worldToCamera, at: frame.timestamp)
    }

    public func session(_ session: ARSession, didFailWithError error: any Error) {
      end((error as? ARError)?.code == .cameraUnauthorized ? .cameraRefused : .cameraLost)
    }

    public func sessionWasInterrupted(_ session: ARSession) { end(.interrupted) }

    private func end(_ problem: ViewError) {
      let moments = lock.withLock {
        defer { self.moments = nil }
        return self.moments
      }
      moments?.finish(throwing: problem)
    }

    /// Returns every 16th mesh vertex, projected to the upright image.
    private static func outline(of anchor: ARFaceAnchor, by camera: ARCamera, in size: CGSize) -> [SIMD2<Float>] {
      guard size.width > 0, size.height > 0 else { return [] }
      let vertices = anchor.geometry.vertices
      return stride(from: 0, to: vertices.count, by: 16).map { index in
        let vertex = vertices[index]
        let world = anchor.transform * SIMD4<Float>(vertex.x, vertex.y, vertex.z, 1)
        let point = camera.projectPoint(
          SIMD3<Float>(world.x, world.y, world.z), orientation: .portrait, viewportSize: size)
        return SIMD2(Float(point.x / size.width), Float(point.y / size.height))
      }
    }
  }

  extension TransformMatrix {
    /// Converts from `simd_float4x4`.
    init(_ matrix: simd_float4x4) {
      self.init(matrix.columns.0, matrix.columns.1, matrix.columns.2, matrix.columns.3)
    }
  }
#endif
