public import MienModel

/// Keeps the frames of checks on reels and makes films of them; the service's socket for an encoder.
///
/// Reels outlive the process, so that a film can be made after a restart.
public protocol FrameRecorder: Sendable {
  /// Adds a frame to a check's reel.
  func record(_ frame: EncodedFrame, of check: SessionID) async throws
  /// A film of a check's reel, in real time: H.264 in MP4 (ISO/IEC 14496-12), at most ``KeptClip/maximumBytes``.
  func film(_ check: SessionID) async throws -> [UInt8]
  /// Destroys a check's reel, if there is one.
  func discard(_ check: SessionID) async
  /// The checks with a reel.
  func reels() async -> [SessionID]
}
