public import MienClient

/// Whether the person lets the app use the camera.
public enum CameraPermission: String, Hashable, Sendable, CaseIterable {
  /// They have not been asked yet.
  case unasked
  case granted
  /// They said no; only the system's settings change that.
  case refused
}

/// The device's camera for faces.
public protocol FlowCamera: Sendable {
  func permission() async -> CameraPermission
  /// Asks the person, where they have not been asked.
  func ask() async -> CameraPermission
  /// Starts the camera. The source is closed by who uses it.
  ///
  /// - Throws: ``ViewError``.
  func open() async throws -> any FrameSource
}
