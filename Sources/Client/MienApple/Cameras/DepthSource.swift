#if canImport(ARKit) && canImport(UIKit)
  internal import ARKit
  internal import AVFoundation
  internal import CoreVideo
  internal import MienCore
  internal import MienScanFormat
  internal import simd

  /// Sensor of a scan.
  enum DepthSource: Sendable {
    /// Rear LiDAR: the operator moves the phone around the subject.
    case lidar
    /// Front camera: the subject turns the head in front of it.
    case trueDepth

    /// Preferred sensor of this device, or `nil` if it has none.
    static var best: DepthSource? {
      if ARWorldTrackingConfiguration.supportsFrameSemantics(.sceneDepth) { return .lidar }
      return ARFaceTrackingConfiguration.isSupported ? .trueDepth : nil
    }

    var configuration: ARConfiguration {
      switch self {
      case .lidar:
        let configuration = ARWorldTrackingConfiguration()
        configuration.worldAlignment = .gravity
        configuration.frameSemantics = .sceneDepth
        return configuration
      case .trueDepth: return ARFaceTrackingConfiguration()
      }
    }

    /// Size of one depth step in micrometers.
    var step: Int { self == .lidar ? DepthAdapter.lidarStep : DepthAdapter.trueDepthStep }
    var sensor: ScanSensor { self == .lidar ? .lidar : .trueDepth }
    /// World alignment: gravity defines the vertical axis for LiDAR; head coordinates have no known vertical.
    var world: WorldAlignment { self == .lidar ? .yUp : .unleveled }

    /// Returns the depth map of a frame, or `nil` for frames without one, such as those between two measurements of the
    /// front camera.
    func map(of frame: ARFrame) -> MetricDepthMap? {
      switch self {
      case .lidar:
        // ARKit declares both maps as unowned; the frame keeps them while they are copied.
        return frame.sceneDepth.flatMap { unsafe PixelBytes.meters($0.depthMap, confidence: $0.confidenceMap) }
      case .trueDepth:
        guard let depth = frame.capturedDepthData else { return nil }
        return PixelBytes.meters(depth.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32).depthDataMap)
      }
    }

    /// Returns the camera's pose in world coordinates (LiDAR), or in the coordinates of the moving head (TrueDepth).
    func pose(of frame: ARFrame) -> CameraPose? {
      switch self {
      case .lidar:
        guard case .normal = frame.camera.trackingState else { return nil }
        return DepthAdapter.pose(TransformMatrix(frame.camera.transform))
      case .trueDepth:
        let faces = frame.anchors.compactMap { $0 as? ARFaceAnchor }.filter(\.isTracked)
        guard let face = faces.first, faces.count == 1 else { return nil }
        return DepthAdapter.pose(
          camera: TransformMatrix(frame.camera.transform), aroundFace: TransformMatrix(face.transform))
      }
    }

    /// Returns the intrinsics of a frame's depth map, or `nil` if they are implausible.
    func intrinsics(of frame: ARFrame, _ map: MetricDepthMap) -> PinholeIntrinsics? {
      let matrix = frame.camera.intrinsics.columns
      let size = frame.camera.imageResolution
      return DepthAdapter.intrinsics(
        (matrix.0, matrix.1, matrix.2), from: .middle, image: (size.width, size.height), map: (map.width, map.height))
    }

    /// Converts a frame to a scan frame. Returns `nil` if a value is invalid.
    func translated(_ frame: ARFrame, _ map: MetricDepthMap) -> ScanFrame? {
      guard let intrinsics = intrinsics(of: frame, map) else { return nil }
      return DepthAdapter.frame(
        map, step: step, pose: pose(of: frame), intrinsics: intrinsics, at: frame.timestamp)
    }
  }
#endif
