internal import MienClient

extension FlowCamera {
  /// The running camera, after the person was asked where need be.
  ///
  /// - Throws: ``ViewError``.
  func opened() async throws -> any FrameSource {
    var permission = await permission()
    if permission == .unasked { permission = await ask() }
    guard permission == .granted else { throw ViewError.cameraRefused }
    return try await open()
  }
}
