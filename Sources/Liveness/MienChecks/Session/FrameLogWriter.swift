public import MienCore

/// Stores the frames of checks in frame logs and makes clips of them; the service's interface to an encoder.
///
/// Frame logs survive a restart of the process, so that a clip can be made afterwards.
public protocol FrameLogWriter: Sendable {
  /// Appends a frame to a check's frame log.
  func record(_ frame: EncodedFrame, of check: CheckID) async throws
  /// Returns a clip of a check's frame log, in real time: H.264 in MP4 (ISO/IEC 14496-12), at most
  /// ``ClipRecord/maximumBytes``.
  func film(_ check: CheckID) async throws -> [UInt8]
  /// Deletes a check's frame log, if there is one.
  func discard(_ check: CheckID) async
  /// Returns the checks that have a frame log.
  func frameLogs() async -> [CheckID]
}
