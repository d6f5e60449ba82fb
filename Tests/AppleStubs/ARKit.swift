public import AVFoundation
public import CoreVideo
public import SceneKit
public import UIKit
@_exported import simd

public protocol ARSessionObserver: NSObjectProtocol {
  func session(_ session: ARSession, didFailWithError error: any Error)
  func sessionWasInterrupted(_ session: ARSession)
}

public protocol ARSessionDelegate: ARSessionObserver {
  func session(_ session: ARSession, didUpdate frame: ARFrame)
}

extension ARSessionDelegate {
  public func session(_ session: ARSession, didFailWithError error: any Error) {}
  public func sessionWasInterrupted(_ session: ARSession) {}
  public func session(_ session: ARSession, didUpdate frame: ARFrame) {}
}

public struct ARError: Error {
  public enum Code: Int { case cameraUnauthorized = 103 }
  public var code: Code { fatalError() }
}

open class ARConfiguration: NSObject {
  public enum WorldAlignment: Int { case gravity, gravityAndHeading, camera }
  public struct FrameSemantics: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sceneDepth = FrameSemantics(rawValue: 8)
  }
  public class var isSupported: Bool { fatalError() }
  public class func supportsFrameSemantics(_ semantics: FrameSemantics) -> Bool { fatalError() }
  override init() {}
  public var worldAlignment = WorldAlignment.gravity
  public var frameSemantics: FrameSemantics = []
  public var isLightEstimationEnabled = true
}

public class ARFaceTrackingConfiguration: ARConfiguration {
  override public init() {}
  public class var supportedNumberOfTrackedFaces: Int { fatalError() }
  public var maximumNumberOfTrackedFaces = 1
}

public class ARWorldTrackingConfiguration: ARConfiguration {
  override public init() {}
}

open class ARSession: NSObject {
  public struct RunOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let resetTracking = RunOptions(rawValue: 1)
    public static let removeExistingAnchors = RunOptions(rawValue: 2)
  }
  override public init() {}
  public weak var delegate: (any ARSessionDelegate)?
  public var delegateQueue: DispatchQueue?
  public var currentFrame: ARFrame? { fatalError() }
  public func run(_ configuration: ARConfiguration, options: RunOptions = []) {}
  public func pause() {}
  public func captureHighResolutionFrame(completion: @escaping @Sendable (ARFrame?, (any Error)?) -> Void) {}
}

open class ARAnchor: NSObject {
  override init() {}
  public var transform: simd_float4x4 { fatalError() }
}

public class ARFaceGeometry: NSObject {
  override init() {}
  public var vertices: [SIMD3<Float>] { fatalError() }
}

public class ARFaceAnchor: ARAnchor {
  public struct BlendShapeLocation: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }
  public var blendShapes: [BlendShapeLocation: NSNumber] { fatalError() }
  public var isTracked: Bool { fatalError() }
  public var geometry: ARFaceGeometry { fatalError() }
}

public class ARCamera: NSObject {
  override init() {}
  public enum TrackingState {
    public enum Reason { case initializing, excessiveMotion, insufficientFeatures, relocalizing }
    case notAvailable
    case limited(Reason)
    case normal
  }
  public var trackingState: TrackingState { fatalError() }
  public var transform: simd_float4x4 { fatalError() }
  public var intrinsics: simd_float3x3 { fatalError() }
  public var imageResolution: CGSize { fatalError() }
  public func viewMatrix(for orientation: UIInterfaceOrientation) -> simd_float4x4 { fatalError() }
  public func projectPoint(
    _ point: SIMD3<Float>, orientation: UIInterfaceOrientation, viewportSize: CGSize
  ) -> CGPoint { fatalError() }
}

public class ARLightEstimate: NSObject {
  override init() {}
  public var ambientIntensity: CGFloat { fatalError() }
  public var ambientColorTemperature: CGFloat { fatalError() }
}

public class ARDepthData: NSObject {
  unowned(unsafe) public var depthMap: CVPixelBuffer { fatalError() }
  unowned(unsafe) public var confidenceMap: CVPixelBuffer? { fatalError() }
}

public class ARFrame: NSObject {
  override init() {}
  public var timestamp: TimeInterval { fatalError() }
  public var camera: ARCamera { fatalError() }
  public var anchors: [ARAnchor] { fatalError() }
  public var capturedImage: CVPixelBuffer { fatalError() }
  public var lightEstimate: ARLightEstimate? { fatalError() }
  public var sceneDepth: ARDepthData? { fatalError() }
  public var capturedDepthData: AVDepthData? { fatalError() }
}

@MainActor open class ARSCNView: SCNView {
  public var session: ARSession {
    get { fatalError() }
    set {}
  }
}
