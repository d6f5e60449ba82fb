public import MienCore

/// Where a check's frames come from: a camera, or a recording in a test.
public protocol FrameSource: Sendable {
  /// The newest frame that was not given before, waiting for it if need be; nil when there will be none.
  ///
  /// A frame is an unmirrored JPEG, 640×480 being enough, with the time of its capture on any monotonic clock of the
  /// device. It is asked for when the reply to the one before is in; what the camera saw meanwhile is in the past and
  /// should be left out. Must return soon after its task was cancelled.
  ///
  /// - Throws: anything, when the camera gave up; the check then ends with `image_capture_failed`.
  func next() async throws -> EncodedFrame?

  /// Called once when the check is over, however it ended: let the camera go.
  func close() async
}

extension FrameSource {
  public func close() async {}
}
