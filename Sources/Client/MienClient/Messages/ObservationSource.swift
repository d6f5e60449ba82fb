/// Face tracker of the device, whose observations a performance sends in the place of frames.
///
/// They are claims of the device: the server accepts them only if it allows that, and only for messages that do not
/// require frames.
public protocol ObservationSource: Sendable {
  /// Returns the observations since the previous call as observation lines without a header
  /// (Documentation/reference/formats/ObservationLines.md), waiting for some if there are none; `nil` after the last one. Must return
  /// soon after its task is canceled.
  ///
  /// - Throws: any error if tracking fails.
  func next() async throws -> [UInt8]?

  /// Called once when the performance ends, for any reason. Stop tracking here.
  func close() async
}
