public import MienCore

/// The film of a check's frames, as far as it is made.
public enum ClipRecord: Hashable, Sendable {
  /// The largest film that is kept, in bytes.
  public static let maximumBytes = 16_777_216

  /// It is being made.
  case pending
  /// An MP4 file.
  case ready([UInt8])
  /// It could not be made.
  case failed

  /// `pending`, `ready` or `failed`.
  public var state: String {
    switch self {
    case .pending: "pending"
    case .ready: "ready"
    case .failed: "failed"
    }
  }
}

extension ClipRecord: CustomStringConvertible, CustomReflectable {
  public var description: String { "KeptClip(\(state))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps films. That one is wanted is written with the verdict, in its transaction, by ``CheckStore/decide(_:_:keeping:)``
/// when the check's record says so and frames were observed.
public protocol ClipStore: Sendable {
  /// Up to `limit` checks whose film is still to be made, and when each was decided, oldest verdict first.
  func pendingClips(limit: Int) async throws -> [(check: CheckID, decided: UnixTime)]
  /// Ends the waiting for a film: with its bytes, or nil when it could not be made. Does nothing when none is awaited.
  func endClip(of id: CheckID, _ bytes: [UInt8]?) async throws
  /// The film of a check; nil when none was wanted.
  func clip(of id: CheckID) async throws -> ClipRecord?
  /// Erases the films of checks decided before `time`; returns how many.
  func deleteClips(decidedBefore time: UnixTime) async throws -> Int
}
