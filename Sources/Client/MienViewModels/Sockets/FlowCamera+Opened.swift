internal import MienClient

extension FlowCamera {
  /// Opens the camera, requesting permission if necessary.
  ///
  /// - Throws: ``ViewError``.
  func opened() async throws -> any FrameSource {
    var permission = await permission()
    if permission == .unasked { permission = await ask() }
    guard permission == .granted else { throw ViewError.cameraRefused }
    return try await open()
  }
}
