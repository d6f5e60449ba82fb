public import MienClient

/// Camera permission of the app.
public enum CameraPermission: String, Hashable, Sendable, CaseIterable {
  /// Not requested yet.
  case notDetermined
  case granted
  /// Denied; can only be changed in the system settings.
  case refused
}

/// Camera of the device that records faces.
public protocol FlowCamera: Sendable {
  func permission() async -> CameraPermission
  /// Requests permission from the user, if that has not been done.
  func ask() async -> CameraPermission
  /// Starts the camera. The caller must close the source.
  ///
  /// - Throws: ``ViewError``.
  func open() async throws -> any FrameSource
}

extension FlowCamera {
  /// Opens the camera, requesting permission if necessary.
  ///
  /// - Throws: ``ViewError``.
  func opened() async throws -> any FrameSource {
    var permission = await permission()
    if permission == .notDetermined { permission = await ask() }
    guard permission == .granted else { throw ViewError.cameraRefused }
    return try await open()
  }
}
