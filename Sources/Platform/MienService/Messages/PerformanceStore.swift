public import MienCore

/// The state of a performance, sealed, as it is kept so that any server can go on with it.
public struct PerformanceSnapshot: Hashable, Sendable {
  public let id: CheckID
  /// Under which ``PerformanceLease/Hold/epoch`` the server holds the performance; 1 for one that begins.
  public let epoch: Int
  /// One more with each state: an older one never takes the place of a newer one.
  public let revision: Int
  /// True from the moment all places are filled: nobody holds the performance then, and nothing takes it back to before.
  public let isClosed: Bool
  /// When it can be forgotten.
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
  public var description: String { "KeptPerformance(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What became of a performance that a server wants to go on with.
public enum PerformanceLease: Sendable {
  /// What makes a performance a server's, and what it has come to.
  public struct LeaseTiming: Sendable {
    /// One more each time the performance comes to another server.
    public let epoch: Int
    public let revision: Int
    public let state: [UInt8]
    /// How long ago the state was kept, never negative.
    public let age: Interval

    public init(epoch: Int, revision: Int, state: [UInt8], age: Interval) {
      self.epoch = epoch
      self.revision = revision
      self.state = state
      self.age = max(age, .zero)
    }
  }

  /// It is this server's now, or nobody's any more because it is closed.
  case held(LeaseTiming)
  /// Another server has it.
  case elsewhere
}

/// Keeps the states of performances, and whose they are, by the rules of ``SnapshotStore``.
public protocol PerformanceStore: Sendable {
  /// True when several servers may work with the store. Where there is one, a performance is its own at any time.
  var isShared: Bool { get }

  /// Keeps a performance that begins, for whichever server its first frame comes to.
  func begin(_ performance: PerformanceSnapshot, at now: UnixTime) async throws

  /// Takes a performance for this server, in one step; nil when there is none with this id. One that is not closed is not
  /// forgotten for the next ten seconds.
  ///
  /// - Parameter now: the service's time; of a store that is shared, only what can be forgotten goes by it.
  func takePerformance(_ id: CheckID, at now: UnixTime) async throws -> PerformanceLease?

  /// Keeps the states of performances, all in one statement: each in the place of an older one, of this server's or of
  /// a closed performance, and of a closed one only when it is closed, too.
  ///
  /// - Returns: those that were kept.
  func save(_ performances: [PerformanceSnapshot], at now: UnixTime) async throws -> Set<CheckID>

  /// Lets others take all that is this server's at once.
  func letPerformancesGo() async throws

  /// Forgets up to `limit` performances whose time is over at `time`; returns how many.
  func purgePerformances(at time: UnixTime, limit: Int) async throws -> Int
}
