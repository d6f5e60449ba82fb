#if canImport(ARKit) && canImport(UIKit)
  internal import ARKit
  internal import AVFoundation
  internal import CoreVideo
  internal import MienDepth
  internal import simd

  /// The two sensors that a scan can be made with, and what differs between them.
  enum DepthSource: Sendable {
    /// The rear LiDAR: the phone goes around the person.
    case lidar
    /// The front camera: the person turns the head before it.
    case trueDepth

    /// The better one of those that this device has; nil when it has none.
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

    /// What one step of a sample is worth, in micrometres.
    var step: Int { self == .lidar ? DepthAdapter.lidarStep : DepthAdapter.trueDepthStep }
    var sensor: ScanSensor { self == .lidar ? .lidar : .trueDepth }
    /// Gravity levels the room; a head stands as it is held.
    var world: WorldAlignment { self == .lidar ? .yUp : .unlevelled }

    /// The depth of a frame; nil when it came without, as those between two measurements of the front camera do.
    func map(of frame: ARFrame) -> MetricDepthMap? {
      switch self {
      case .lidar:
        return frame.sceneDepth.flatMap { PixelBytes.meters($0.depthMap, confidence: $0.confidenceMap) }
      case .trueDepth:
        guard let depth = frame.capturedDepthData else { return nil }
        return PixelBytes.meters(depth.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32).depthDataMap)
      }
    }

    /// Where the camera stood: in the room, or around the head, which is what moves before a camera that stands still.
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

    /// The frame of a scan; nil when something of it cannot be.
    func translated(_ frame: ARFrame, _ map: MetricDepthMap) -> ScanFrame? {
      let matrix = frame.camera.intrinsics.columns
      let size = frame.camera.imageResolution
      guard
        let intrinsics = DepthAdapter.intrinsics(
          (matrix.0, matrix.1, matrix.2), from: .middle, image: (size.width, size.height),
          map: (map.width, map.height))
      else { return nil }
      return DepthAdapter.frame(
        map, step: step, pose: pose(of: frame), intrinsics: intrinsics, at: frame.timestamp)
    }
  }
#endif
