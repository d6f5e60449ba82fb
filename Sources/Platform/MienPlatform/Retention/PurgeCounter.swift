internal import Synchronization

/// Counts the records that the server purged by age, for metrics, operators and the audit log. Contains only numbers,
/// no identities. One counter per realm.
public final class PurgeCounter: Sendable {
  /// Number of purged records by category; categories without any are omitted.
  public typealias Counts = [RetentionCategory: Int]

  /// The purges since the previous report.
  public struct Report: Hashable, Sendable {
    public let at: UnixTime
    public let counts: Counts

    /// The audit log format: `checks:3/images:9`, in the order of ``RetentionCategory``.
    public var text: String {
      RetentionCategory.allCases.compactMap { kind in counts[kind].map { "\(kind.rawValue):\($0)" } }.joined(
        separator: "/")
    }
  }

  private struct State {
    var totals: Counts = [:]
    var unreported: Counts = [:]
    var last: Report?
  }

  private let state = Mutex(State())

  public init() {}

  /// Adds purged records; ignores a count of 0.
  public func note(_ kind: RetentionCategory, _ count: Int) {
    guard count > 0 else { return }
    state.withLock { state in
      state.totals[kind, default: 0] += count
      state.unreported[kind, default: 0] += count
    }
  }

  /// All purges since the server started.
  public var totals: Counts { state.withLock { $0.totals } }

  /// The last stored report; `nil` if there was none since the server started.
  public var last: Report? { state.withLock { $0.last } }

  /// Reports the purges since the last report, if there were any.
  ///
  /// - Parameter keep: stores the report; if it throws, the purges remain unreported.
  public func report(at time: UnixTime, _ keep: (Report) async throws -> Void) async throws {
    let counts = state.withLock { $0.unreported }
    guard !counts.isEmpty else { return }
    let report = Report(at: time, counts: counts)
    try await keep(report)
    state.withLock { state in
      // More records may have been purged while the report was stored.
      state.unreported = state.unreported.reduce(into: [:]) { left, next in
        let rest = next.value - counts[next.key, default: 0]
        if rest > 0 { left[next.key] = rest }
      }
      state.last = report
    }
  }
}
