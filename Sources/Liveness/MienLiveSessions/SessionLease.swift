public import MienCore

/// Lease under which this server holds a session, and the changes of the session's state that are not saved yet.
package struct SessionLease: Sendable {
  /// Incremented by the store each time another server acquires the session: writes under an earlier epoch are ignored.
  package let epoch: Int
  /// Number of changes so far.
  package private(set) var revision: Int
  private var savedRevision: Int
  /// Start of the current lease.
  private var heldSince: MonotonicInstant

  /// - Parameters:
  ///   - heldSince: time at which this server began to acquire the session.
  ///   - revision: revision of the acquired state.
  package init(epoch: Int, heldSince: MonotonicInstant, revision: Int = 0) {
    self.epoch = epoch
    self.heldSince = heldSince
    self.revision = revision
    savedRevision = revision
  }

  /// Records a change of the session's state.
  package mutating func change() { revision += 1 }

  /// Makes the next save happen even if nothing has changed, to renew the lease.
  package mutating func requireSave() { revision = max(revision, savedRevision + 1) }

  package var hasUnsavedChanges: Bool { revision > savedRevision }

  /// Records that a revision was saved by a write that began at `began`, and renews the lease from then on.
  package mutating func saved(_ revision: Int, since began: MonotonicInstant) {
    savedRevision = max(savedRevision, revision)
    heldSince = max(heldSince, began)
  }

  /// Returns `true` if this revision or a newer one was saved.
  package func isSaved(_ revision: Int) -> Bool { savedRevision >= revision }

  /// Returns `true` if the lease is so old that another server may soon consider the session abandoned.
  package func mustBeRenewed(at now: MonotonicInstant) -> Bool { now.since(heldSince) > LeaseTiming.lease }
}

/// Timing of session ownership (Documentation/operations/Scaling.md explains the values).
public enum LeaseTiming {
  /// Interval at which changed states are saved.
  public static let interval = Interval.milliseconds(250)
  /// Time after saving a session's state during which a server handles requests for it without saving it again.
  public static let lease = Interval.milliseconds(500)
  /// Time without saving after which another server may acquire a session. The difference from the lease is the time
  /// available to process a frame that arrived within the lease.
  public static let timeout = Interval.milliseconds(800)
  /// Minimum time for which an acquired performance is not evicted.
  public static let grace = Interval.seconds(10)
  /// Time after a check's deadline during which other servers leave its completion to its owner, which is the only one
  /// with its images.
  public static let courtesy = Interval.seconds(3)
}
