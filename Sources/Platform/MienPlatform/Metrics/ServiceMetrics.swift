package import MienCore
internal import Synchronization

/// Counts events with closed label sets: never an ID, a path or personal data.
public final class ServiceMetrics: Sendable {
  /// Upper bounds of the latency buckets in seconds.
  public static let latencyBounds: [Double] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]

  public struct Reading: Sendable {
    public var checksCreated = 0
    /// By outcome, then by reason (`none` for passed).
    public var checksDecided: [String: [String: Int]] = [:]
    /// By result: `judged`, `repeated` or a problem code.
    public var frames: [String: Int] = [:]
    /// One count per bound of ``ServiceMetrics/latencyBounds`` and one for higher latencies; not cumulative.
    public var frameLatency = [Int](repeating: 0, count: ServiceMetrics.latencyBounds.count + 1)
    public var frameLatencySum = 0.0
    /// By realm.
    public var liveChecks: [Realm: Int] = [:]
    /// Finished message performances, by the code of the final state.
    public var performances: [String: Int] = [:]
    /// By realm.
    public var livePerformances: [Realm: Int] = [:]
    /// Attempts to deliver a webhook, by outcome.
    public var webhooks: [WebhookOutcome: Int] = [:]
  }

  /// The outcome of an attempt to deliver a webhook.
  public enum WebhookOutcome: String, Hashable, Sendable, CaseIterable {
    case delivered
    case retried
    case failed
    /// The target responded that it no longer exists.
    case gone
  }

  /// Durations of disk, database and queueing operations.
  public let times: OperationTimings
  private let reading = Mutex(Reading())

  public init(times: OperationTimings = OperationTimings()) { self.times = times }

  package func created() { reading.withLock { $0.checksCreated += 1 } }

  package func decided(_ outcome: String, reason: String?) {
    reading.withLock { $0.checksDecided[outcome, default: [:]][reason ?? "none", default: 0] += 1 }
  }

  package func frame(_ result: String, took: Interval?) {
    reading.withLock { reading in
      reading.frames[result, default: 0] += 1
      guard let seconds = took?.inSeconds else { return }
      reading.frameLatency[Self.latencyBounds.firstIndex { seconds <= $0 } ?? Self.latencyBounds.count] += 1
      reading.frameLatencySum += seconds
    }
  }

  package func webhook(_ outcome: WebhookOutcome) { reading.withLock { $0.webhooks[outcome, default: 0] += 1 } }

  package func live(_ count: Int, in realm: Realm) { reading.withLock { $0.liveChecks[realm] = count } }

  package func performed(_ end: String) { reading.withLock { $0.performances[end, default: 0] += 1 } }

  package func performing(_ count: Int, in realm: Realm) { reading.withLock { $0.livePerformances[realm] = count } }

  /// Returns all counters.
  public func read() -> Reading { reading.withLock { $0 } }
}
