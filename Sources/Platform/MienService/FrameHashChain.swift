internal import Crypto
public import MienCore

/// Commits to every frame that a check received, and to their order, in 32 bytes.
///
/// c₀ = SHA-256("mien-frame-chain-1\n" ‖ the check's id), cᵢ = SHA-256(cᵢ₋₁ ‖ SHA-256(body of frame i)). Who has kept the
/// frames can compute it again; a frame changed, left out, added or moved gives another value.
public struct FrameHashChain: Hashable, Sendable {
  /// How many frames were received.
  public private(set) var count: Int
  /// 32 bytes: the last link.
  public private(set) var head: [UInt8]

  /// The chain of a check that has received nothing.
  public init(of session: CheckID) {
    count = 0
    head = Array(SHA256.hash(data: Array("mien-frame-chain-1\n\(session.text)".utf8)))
  }

  /// A chain read back from a store; nil when the count is negative or the link has not 32 bytes.
  public init?(count: Int, head: [UInt8]) {
    guard count >= 0, head.count == 32 else { return nil }
    self.count = count
    self.head = head
  }

  /// Adds a frame by the SHA-256 digest of its bytes.
  public mutating func append(_ digest: [UInt8]) {
    head = Array(SHA256.hash(data: head + digest))
    count += 1
  }

  /// The last link in lower-case hexadecimal.
  public var text: String { Hexadecimal.encode(head) }
}
