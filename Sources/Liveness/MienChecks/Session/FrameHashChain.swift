internal import Crypto
public import MienCore
internal import MienPlatform

/// A hash chain that commits to every frame a check received, and to their order, in 32 bytes.
///
/// c₀ = SHA-256("mien-frame-chain-1\n" ‖ the check's ID), cᵢ = SHA-256(cᵢ₋₁ ‖ SHA-256(body of frame i)). Anyone who has
/// stored the frames can recompute it; changing, omitting, adding or reordering a frame gives another value.
public struct FrameHashChain: Hashable, Sendable {
  /// Number of frames received.
  public private(set) var count: Int
  /// The last link, 32 bytes.
  public private(set) var head: [UInt8]

  /// Creates the chain of a check that has received no frames.
  public init(of session: CheckID) {
    count = 0
    head = Array(SHA256.hash(data: Array("mien-frame-chain-1\n\(session.text)".utf8)))
  }

  /// Restores a chain from a store; returns `nil` if the count is negative or the link is not 32 bytes long.
  public init?(count: Int, head: [UInt8]) {
    guard count >= 0, head.count == 32 else { return nil }
    self.count = count
    self.head = head
  }

  /// Appends a frame by the SHA-256 digest of its bytes.
  public mutating func append(_ digest: [UInt8]) {
    head = Array(SHA256.hash(data: head + digest))
    count += 1
  }

  /// The last link in lowercase hexadecimal.
  public var text: String { Hexadecimal.encode(head) }
}

/// Stores the frames of checks in frame logs and makes clips of them; the service's interface to an encoder.
///
/// Frame logs survive a restart of the process, so that a clip can be made afterwards.
public protocol FrameLogWriter: Sendable {
  /// Appends a frame to a check's frame log.
  func record(_ frame: EncodedFrame, of check: CheckID) async throws
  /// Returns a clip of a check's frame log, in real time: H.264 in MP4 (ISO/IEC 14496-12), at most
  /// ``ClipRecord/maximumBytes``.
  func encodedClip(_ check: CheckID) async throws -> [UInt8]
  /// Deletes a check's frame log, if there is one.
  func discard(_ check: CheckID) async
  /// Returns the checks that have a frame log.
  func frameLogs() async -> [CheckID]
}
