public import MienPlatform
public import MienCore

/// The state of a check's clip.
public enum ClipRecord: Hashable, Sendable {
  /// Maximum size of a stored clip, in bytes.
  public static let maximumBytes = 16_777_216

  /// The clip is still to be made.
  case pending
  /// An MP4 file.
  case ready([UInt8])
  /// The clip could not be made.
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
  public var description: String { "ClipRecord(\(state))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Stores clips. ``CheckStore/decide(_:_:keeping:counting:under:)`` records that a clip is pending, in the transaction
/// of the verdict, if the check's record requests one and frames were observed.
public protocol ClipStore: Sendable {
  /// Returns up to `limit` checks whose clip is pending, with the time of their verdict, oldest verdict first.
  func pendingClips(limit: Int) async throws -> [(check: CheckID, decided: UnixTime)]
  /// Completes a pending clip with its bytes, or with `nil` if it could not be made. Does nothing if none is pending.
  func endClip(of id: CheckID, _ bytes: [UInt8]?) async throws
  /// Returns the clip of a check; `nil` if none was requested.
  func clip(of id: CheckID) async throws -> ClipRecord?
  /// Deletes the clips of checks decided before `time`; returns how many.
  func deleteClips(decidedBefore time: UnixTime) async throws -> Int
}
