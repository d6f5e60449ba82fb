public import MienCore

/// Keeps the frames of checks on reels and makes films of them; the service's socket for an encoder.
///
/// Reels outlive the process, so that a film can be made after a restart.
public protocol FrameLogWriter: Sendable {
  /// Adds a frame to a check's reel.
  func record(_ frame: EncodedFrame, of check: CheckID) async throws
  /// A film of a check's reel, in real time: H.264 in MP4 (ISO/IEC 14496-12), at most ``ClipRecord/maximumBytes``.
  func film(_ check: CheckID) async throws -> [UInt8]
  /// Destroys a check's reel, if there is one.
  func discard(_ check: CheckID) async
  /// The checks with a reel.
  func frameLogs() async -> [CheckID]
}
