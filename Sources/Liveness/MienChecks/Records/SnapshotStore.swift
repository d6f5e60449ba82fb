internal import MienLiveSessions
public import MienPlatform
public import MienCore

/// The encrypted state of a running check, saved so that the check can continue if its server fails.
public struct CheckSnapshot: Hashable, Sendable {
  public let check: CheckID
  /// The ``CheckAcquisition/Lease/epoch`` under which the server holds the check.
  public let epoch: Int
  /// Encrypted state, 29 bytes to 1 MiB.
  public let state: [UInt8]

  public init(check: CheckID, epoch: Int, state: [UInt8]) {
    self.check = check
    self.epoch = epoch
    self.state = state
  }
}

extension CheckSnapshot: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckSnapshot(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The result of acquiring a check.
public struct CheckAcquisition: Sendable {
  /// The ownership of a check by a server.
  public struct Lease: Sendable {
    /// Incremented each time the check moves to another server: writes under an earlier epoch are ignored.
    public let epoch: Int
    /// The last saved state; `nil` if there is none.
    public let state: [UInt8]?
    /// Age of the saved state, never negative.
    public let age: Interval
    /// `true` if the previous owner is no longer running.
    public let isOrphan: Bool
    /// `true` if it was on another server, with a different data directory.
    public let wasElsewhere: Bool

    public init(epoch: Int, state: [UInt8]?, age: Interval, isOrphan: Bool, wasElsewhere: Bool) {
      self.epoch = epoch
      self.state = state
      self.age = max(age, .zero)
      self.isOrphan = isOrphan
      self.wasElsewhere = wasElsewhere
    }
  }

  public let record: CheckRecord
  public let result: CheckResult?
  /// `nil` if the check is decided, or another server holds it.
  public let hold: Lease?

  public init(record: CheckRecord, result: CheckResult?, hold: Lease?) {
    self.record = record
    self.result = result
    self.hold = hold
  }
}

/// Stores the states and owners of running checks.
///
/// A check is held by one server at a time, as long as its state is saved repeatedly; another server may acquire it if
/// nothing was saved for ``LeaseTiming/timeout``, or its owner has released it. From then on, writes of the previous
/// owner are rejected.
public protocol SnapshotStore: Sendable {
  /// `true` if several servers may use the store. A single server always holds its checks.
  var isShared: Bool { get }

  /// Loads a check and acquires it for this server atomically; returns `nil` if there is no check with this ID.
  ///
  /// - Parameter now: the service's time; a shared store uses its own clock.
  func acquire(_ id: CheckID, at now: UnixTime) async throws -> CheckAcquisition?

  /// Saves the states of checks in one statement, replacing their previous states.
  ///
  /// - Returns: the checks held by this server; nothing was saved for the others.
  func save(_ snapshots: [CheckSnapshot], at now: UnixTime) async throws -> Set<CheckID>

  /// Releases all checks held by this server, so that others can acquire them immediately.
  func release() async throws
}
