#if canImport(ARKit) && canImport(UIKit)
  internal import AVFoundation
  internal import MienViewModels

  /// Camera permission of the app, converted to ``CameraPermission``.
  enum CameraAccess {
    static var permission: CameraPermission {
      switch AVCaptureDevice.authorizationStatus(for: .video) {
      case .authorized: .granted
      case .notDetermined: .unasked
      case .denied, .restricted: .refused
      @unknown default: .refused
      }
    }

    static func ask() async -> CameraPermission {
      await AVCaptureDevice.requestAccess(for: .video) ? .granted : .refused
    }
  }
#endif
