public import MienPlatform
public import MienCore

/// The encrypted state of a performance, stored so that any server can continue it.
public struct PerformanceSnapshot: Hashable, Sendable {
  public let id: CheckID
  /// Epoch under which the server holds the performance (``PerformanceLease/LeaseTiming/epoch``); 1 for one that
  /// begins.
  public let epoch: Int
  /// Incremented with each state: an older state never replaces a newer one.
  public let revision: Int
  /// `true` once all steps were performed: no server holds the performance then, and it is never reopened.
  public let isClosed: Bool
  /// Time from which the performance can be deleted.
  public let expires: UnixTime
  /// 29 bytes to 1 MiB.
  public let state: [UInt8]

  public init(id: CheckID, epoch: Int, revision: Int, isClosed: Bool, expires: UnixTime, state: [UInt8]) {
    self.id = id
    self.epoch = epoch
    self.revision = revision
    self.isClosed = isClosed
    self.expires = expires
    self.state = state
  }
}

extension PerformanceSnapshot: CustomStringConvertible, CustomReflectable {
  public var description: String { "PerformanceSnapshot(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The result of acquiring a performance.
public enum PerformanceLease: Sendable {
  /// A server's lease of a performance, with the saved state.
  public struct Hold: Sendable {
    /// Incremented each time another server acquires the performance.
    public let epoch: Int
    public let revision: Int
    public let state: [UInt8]
    /// Time since the state was saved, never negative.
    public let age: Interval

    public init(epoch: Int, revision: Int, state: [UInt8], age: Interval) {
      self.epoch = epoch
      self.revision = revision
      self.state = state
      self.age = max(age, .zero)
    }
  }

  /// This server holds it now, or no server does because it is closed.
  case held(Hold)
  /// Another server holds it.
  case elsewhere
}

/// Stores the states of performances and the leases of servers, by the rules of ``SnapshotStore``.
public protocol PerformanceStore: Sendable {
  /// `true` if several servers may work with the store. Otherwise, a performance is always the one server's.
  var isShared: Bool { get }

  /// Stores a performance that begins, for any server that receives its first frame.
  func begin(_ performance: PerformanceSnapshot, at now: UnixTime) async throws

  /// Acquires a performance for this server, atomically; returns `nil` if there is none with this ID. One that is not
  /// closed is not deleted for the next ten seconds.
  ///
  /// - Parameter now: the service's time; a shared store uses it only to determine what can be deleted.
  func takePerformance(_ id: CheckID, at now: UnixTime) async throws -> PerformanceLease?

  /// Saves the states of performances, all in one statement. Each replaces only an older state, of this server's or of
  /// a closed performance, and that of a closed one only if it is closed, too.
  ///
  /// - Returns: the IDs of those that were saved.
  func save(_ performances: [PerformanceSnapshot], at now: UnixTime) async throws -> Set<CheckID>

  /// Releases all performances that this server holds, so that other servers can acquire them immediately.
  func letPerformancesGo() async throws

  /// Deletes up to `limit` performances that have expired at `time`; returns how many.
  func purgePerformances(at time: UnixTime, limit: Int) async throws -> Int
}
