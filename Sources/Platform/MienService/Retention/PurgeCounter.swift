internal import Synchronization

/// Counts what the server erased because its time was over, for the metrics, for operators and for the audit log. Numbers only: of
/// whom anything was, nobody knows afterwards. One for each space.
public final class PurgeCounter: Sendable {
  /// How much was erased, by kind; kinds of which nothing was are not in it.
  public typealias Counts = [RetentionCategory: Int]

  /// What was erased since the report before.
  public struct Report: Hashable, Sendable {
    public let at: UnixTime
    public let counts: Counts

    /// As the audit log has it: `checks:3/pictures:9`, in the order of ``RetentionCategory``.
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

  /// Counts something that was erased; nothing for a count of 0.
  public func note(_ kind: RetentionCategory, _ count: Int) {
    guard count > 0 else { return }
    state.withLock { state in
      state.totals[kind, default: 0] += count
      state.unreported[kind, default: 0] += count
    }
  }

  /// All that was erased since the server started.
  public var totals: Counts { state.withLock { $0.totals } }

  /// The report that was kept last; nil when none was since the server started.
  public var last: Report? { state.withLock { $0.last } }

  /// Reports what was erased since the last report, if anything was.
  ///
  /// - Parameter keep: when it throws, what was erased stays to be reported.
  public func report(at time: UnixTime, _ keep: (Report) async throws -> Void) async throws {
    let counts = state.withLock { $0.unreported }
    guard !counts.isEmpty else { return }
    let report = Report(at: time, counts: counts)
    try await keep(report)
    state.withLock { state in
      // Something may have been erased while the report was kept.
      state.unreported = state.unreported.reduce(into: [:]) { left, next in
        let rest = next.value - counts[next.key, default: 0]
        if rest > 0 { left[next.key] = rest }
      }
      state.last = report
    }
  }
}
