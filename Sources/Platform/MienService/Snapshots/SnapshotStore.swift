public import MienCore

/// The state of a check under way, sealed, as it is kept so that the check can go on when its server dies.
public struct CheckSnapshot: Hashable, Sendable {
  public let check: CheckID
  /// Under which ``CheckAcquisition/Hold/epoch`` the server holds the check.
  public let epoch: Int
  /// 29 bytes to 1 MiB.
  public let state: [UInt8]

  public init(check: CheckID, epoch: Int, state: [UInt8]) {
    self.check = check
    self.epoch = epoch
    self.state = state
  }
}

extension CheckSnapshot: CustomStringConvertible, CustomReflectable {
  public var description: String { "LiveSnapshot(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A check that a server wants to go on with.
public struct CheckAcquisition: Sendable {
  /// What makes a check a server's.
  public struct Lease: Sendable {
    /// One more each time the check comes to another server: what is told under an earlier one does not count any more.
    public let epoch: Int
    /// The last state that was kept; nil when there is none.
    public let state: [UInt8]?
    /// How long ago the state was kept, never negative.
    public let age: Interval
    /// True when whoever had the check before does not live any more.
    public let isOrphan: Bool
    /// True when it was at another server, whose data folder is not this one's.
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
  /// nil when the check is decided, or another server has it.
  public let hold: Lease?

  public init(record: CheckRecord, result: CheckResult?, hold: Lease?) {
    self.record = record
    self.result = result
    self.hold = hold
  }
}

/// Keeps the states of checks under way, and whose they are.
///
/// A check is one server's at a time. It stays so while its state is kept again and again; another may take it when
/// nothing was kept for ``LeaseTiming/patience``, or its server has let go of it. From then on nothing that the first still
/// tells of the check is kept.
public protocol SnapshotStore: Sendable {
  /// True when several servers may work with the store. Where there is one, a check is its own at any time.
  var isShared: Bool { get }

  /// Reads a check and takes it for this server, in one step; nil when there is none with this id.
  ///
  /// - Parameter now: the service's time; a store that is shared goes by a clock of its own.
  func acquire(_ id: CheckID, at now: UnixTime) async throws -> CheckAcquisition?

  /// Keeps the states of checks, all in one statement, each in the place of the one before.
  ///
  /// - Returns: those that are this server's; of the others nothing was kept.
  func save(_ snapshots: [CheckSnapshot], at now: UnixTime) async throws -> Set<CheckID>

  /// Lets others take all that is this server's at once.
  func release() async throws
}

/// How long a check stays with the server that has it (Documentation/Scaling.md says why these).
public enum LeaseTiming {
  /// How often states that have changed are kept.
  public static let interval = Interval.milliseconds(250)
  /// For how long after keeping a check's state a server answers for it without keeping it again.
  public static let lease = Interval.milliseconds(500)
  /// After how long without keeping another server may take a check. The difference to the lease is the time in which a
  /// frame that came within the lease is looked at.
  public static let patience = Interval.milliseconds(800)
  /// For how long at least a performance is not forgotten that somebody takes.
  public static let grace = Interval.seconds(10)
  /// For how long after a check's time others leave its ending to the server that has it, with the pictures that only that one
  /// has.
  public static let courtesy = Interval.seconds(3)
}
