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
  /// Starts the device's own face tracker in the place of frames, or returns `nil` if it has none. The caller must close
  /// the source.
  ///
  /// - Throws: ``ViewError``.
  func openTracker() async throws -> (any ObservationSource)?
  /// `true` if the frame source measures depth too.
  var measuresDepth: Bool { get }
}

extension FlowCamera {
  public func openTracker() async throws -> (any ObservationSource)? { nil }
  public var measuresDepth: Bool { false }
}

extension FlowCamera {
  /// Opens the camera, requesting permission if necessary.
  ///
  /// - Throws: ``ViewError``.
  func opened() async throws -> any FrameSource {
    try await expectPermission()
    return try await open()
  }

  /// Starts the tracker, requesting permission if necessary; returns `nil` if the device has none.
  ///
  /// - Throws: ``ViewError``.
  func openedTracker() async throws -> (any ObservationSource)? {
    try await expectPermission()
    return try await openTracker()
  }

  private func expectPermission() async throws {
    var permission = await permission()
    if permission == .notDetermined { permission = await ask() }
    guard permission == .granted else { throw ViewError.cameraRefused }
  }
}
