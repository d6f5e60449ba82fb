internal import MienChecks
internal import MienPlatform
internal import MienScanService
internal import MienWebhooks

/// Renders the depths of the database's work queues, for both realms together, in Prometheus' text exposition format
/// 0.0.4. Several servers on one database report the same values, because they share the queues.
struct QueueMetrics: Sendable {
  /// Maximum number of videos that are counted.
  private static var mostFilms: Int { 1000 }

  let checks: [LivenessCheckService]
  let webhooks: [WebhookService]
  let scans: [ScanService]
  let monitor: DependencyHealthMonitor

  /// Returns an empty text if the database is unavailable: querying it would delay the other metrics.
  func render() async -> String {
    guard !monitor.away.contains(where: { $0.kind == .database }), let depths = try? await depths() else { return "" }
    var lines = [
      "# HELP mien_queue_depth Work that waits in the database: scans, films of checks (up to \(Self.mostFilms)), messages to webhooks.",
      "# TYPE mien_queue_depth gauge",
    ]
    for (name, depth) in depths { lines.append("mien_queue_depth{queue=\"\(name)\"} \(depth)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func depths() async throws -> [(name: String, depth: Int)] {
    var (films, webhooks, waiting) = (0, 0, 0)
    for service in checks { films += try await service.pendingClipCount(limit: Self.mostFilms) }
    for service in self.webhooks { webhooks += try await service.waitingDeliveries() }
    for service in scans { waiting += try await service.queueDepth() }
    return [("films", films), ("scans", waiting), ("webhooks", webhooks)]
  }
}

/// Renders the availability of external dependencies in Prometheus' text exposition format 0.0.4.
enum DependencyMetrics {
  static func render(_ monitor: DependencyHealthMonitor) -> String {
    let away = Set(monitor.away.map(\.kind))
    var lines = [
      "# HELP mien_part_up Whether a part outside the process answered when it was looked at last.",
      "# TYPE mien_part_up gauge",
    ]
    for part in monitor.parts {
      lines.append("mien_part_up{part=\"\(part.kind.rawValue)\"} \(away.contains(part.kind) ? 0 : 1)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Renders the number of items deleted because they expired, for both realms together, in Prometheus' text exposition
/// format 0.0.4.
enum RetentionMetrics {
  static func render(_ books: [PurgeCounter]) -> String {
    let totals = books.map(\.totals)
    var lines = [
      "# HELP mien_erased_by_age_total What was erased because it had been kept for as long as the settings say.",
      "# TYPE mien_erased_by_age_total counter",
    ]
    for kind in RetentionCategory.allCases {
      let count = totals.reduce(0) { $0 + $1[kind, default: 0] }
      lines.append("mien_erased_by_age_total{kind=\"\(kind.rawValue)\"} \(count)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Renders trace export counts in Prometheus' text exposition format 0.0.4.
enum TraceMetrics {
  /// - Parameter counts: export counts, or `nil` if tracing is off.
  static func render(_ counts: SpanBuffer.Counts?) -> String {
    guard let counts else { return "" }
    return """
      # HELP mien_spans_total Spans of traces: sent to the collector, or dropped because it did not take them in time.
      # TYPE mien_spans_total counter
      mien_spans_total{outcome="sent"} \(counts.sent)
      mien_spans_total{outcome="dropped"} \(counts.dropped)

      """
  }
}
