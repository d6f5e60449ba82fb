public import CoreMedia
public import CoreVideo
public import QuartzCore
public import simd

public struct AVMediaType: Hashable, Sendable {
  public static let video = AVMediaType()
}

public enum AVAuthorizationStatus: Int, Sendable { case notDetermined, restricted, denied, authorized }

open class AVCaptureDevice: NSObject {
  public struct DeviceType: Hashable, Sendable {
    public static let builtInWideAngleCamera = DeviceType()
    public static let builtInDualCamera = DeviceType()
    public static let builtInDualWideCamera = DeviceType()
    public static let builtInLiDARDepthCamera = DeviceType()
  }
  public enum Position: Int, Sendable { case unspecified, back, front }
  public static func authorizationStatus(for type: AVMediaType) -> AVAuthorizationStatus { fatalError() }
  public static func requestAccess(for type: AVMediaType) async -> Bool { fatalError() }
  public static func `default`(
    _ type: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? { fatalError() }
}

open class AVCaptureInput: NSObject {}
open class AVCaptureDeviceInput: AVCaptureInput {
  public init(device: AVCaptureDevice) throws {}
}

open class AVCaptureConnection: NSObject {
  override init() {}
  public func isVideoRotationAngleSupported(_ angle: CGFloat) -> Bool { fatalError() }
  public var videoRotationAngle: CGFloat = 0
  public var isVideoMirroringSupported: Bool { fatalError() }
  public var isVideoMirrored = false
  public var automaticallyAdjustsVideoMirroring = true
}

open class AVCaptureOutput: NSObject {
  public func connection(with type: AVMediaType) -> AVCaptureConnection? { fatalError() }
}

public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

open class AVCaptureVideoDataOutput: AVCaptureOutput {
  override public init() {}
  public var alwaysDiscardsLateVideoFrames = true
  public var videoSettings: [String: Any]! = [:]
  public func setSampleBufferDelegate(
    _ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {}
}

open class AVCaptureSession: NSObject {
  public struct Preset: Hashable, Sendable {
    public static let vga640x480 = Preset()
    public static let photo = Preset()
  }
  public static let wasInterruptedNotification = Notification.Name("")
  public static let runtimeErrorNotification = Notification.Name("")
  override public init() {}
  public var inputs: [AVCaptureInput] { fatalError() }
  public var isRunning: Bool { fatalError() }
  public var sessionPreset = Preset()
  public func canSetSessionPreset(_ preset: Preset) -> Bool { fatalError() }
  public func canAddInput(_ input: AVCaptureInput) -> Bool { fatalError() }
  public func canAddOutput(_ output: AVCaptureOutput) -> Bool { fatalError() }
  public func addInput(_ input: AVCaptureInput) {}
  public func addOutput(_ output: AVCaptureOutput) {}
  public func beginConfiguration() {}
  public func commitConfiguration() {}
  public func startRunning() {}
  public func stopRunning() {}
}

public struct AVLayerVideoGravity: Hashable, Sendable {
  public static let resizeAspectFill = AVLayerVideoGravity()
}

open class AVCaptureVideoPreviewLayer: CALayer {
  override public init() {}
  public var session: AVCaptureSession?
  public var videoGravity = AVLayerVideoGravity()
}

public let AVVideoCodecKey = ""
public struct AVVideoCodecType: Hashable, Sendable {
  public static let jpeg = AVVideoCodecType()
}

open class AVCapturePhotoSettings: NSObject {
  public convenience init(format: [String: Any]?) { fatalError() }
  public var uniqueID: Int64 { fatalError() }
  public var isDepthDataDeliveryEnabled = false
  public var isDepthDataFiltered = true
  public var embedsDepthDataInPhoto = true
}

open class AVCameraCalibrationData: NSObject {
  public var intrinsicMatrix: simd_float3x3 { fatalError() }
  public var intrinsicMatrixReferenceDimensions: CGSize { fatalError() }
}

open class AVDepthData: NSObject {
  public func converting(toDepthDataType type: OSType) -> Self { fatalError() }
  public var depthDataMap: CVPixelBuffer { fatalError() }
  public var cameraCalibrationData: AVCameraCalibrationData? { fatalError() }
}

open class AVCapturePhoto: NSObject {
  public func fileDataRepresentation() -> Data? { fatalError() }
  public var depthData: AVDepthData? { fatalError() }
}

public protocol AVCapturePhotoCaptureDelegate: NSObjectProtocol {
  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?)
}

open class AVCapturePhotoOutput: AVCaptureOutput {
  override public init() {}
  public var isDepthDataDeliverySupported: Bool { fatalError() }
  public var isDepthDataDeliveryEnabled = false
  public func capturePhoto(
    with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate
  ) {}
}

public enum AVSpeechBoundary: Int, Sendable { case immediate, word }
open class AVSpeechSynthesisVoice: NSObject {
  public init?(language: String?) { nil }
}
open class AVSpeechUtterance: NSObject {
  public init(string: String) {}
  public var voice: AVSpeechSynthesisVoice?
}
open class AVSpeechSynthesizer: NSObject {
  override public init() {}
  @discardableResult public func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool { fatalError() }
  public func speak(_ utterance: AVSpeechUtterance) {}
}
