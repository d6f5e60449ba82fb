public import MienCore

/// Source of a check's frames: a camera, or a recording in a test.
public protocol FrameSource: Sendable {
  /// Returns the newest frame that was not returned before, waiting for one if necessary, or `nil` after the last
  /// frame.
  ///
  /// A frame is an unmirrored JPEG image (640×480 is sufficient) with its capture time on any monotonic clock of the
  /// device. The next frame is requested after the response to the previous one arrived; frames captured in between are
  /// outdated and should be skipped. Must return soon after its task is canceled.
  ///
  /// - Throws: any error if the camera fails; the check then ends with `image_capture_failed`.
  func next() async throws -> EncodedFrame?

  /// Called once when the check ends, for any reason. Stop the camera here.
  func close() async
}

extension FrameSource {
  public func close() async {}
}
