internal import MienChecks
internal import MienPlatform
internal import MienScanService
internal import MienWebhooks

/// Renders the depths of the database's work queues, for both realms together, in Prometheus' text exposition format
/// 0.0.4. Several servers on one database report the same values, because they share the queues.
struct QueueMetrics: Sendable {
  /// Maximum number of videos that are counted.
  private static var maximumClips: Int { 1000 }

  let checks: [LivenessCheckService]
  let webhooks: [WebhookService]
  let scans: [ScanService]
  let monitor: DependencyHealthMonitor

  /// Returns an empty text if the database is unavailable: querying it would delay the other metrics.
  func render() async -> String {
    guard !monitor.away.contains(where: { $0.kind == .database }), let depths = try? await depths() else { return "" }
    var lines = [
      "# HELP mien_queue_depth Jobs waiting in the database, by queue; clips are counted up to \(Self.maximumClips).",
      "# TYPE mien_queue_depth gauge",
    ]
    for (name, depth) in depths { lines.append("mien_queue_depth{queue=\"\(name)\"} \(depth)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func depths() async throws -> [(name: String, depth: Int)] {
    var (clips, webhooks, waiting) = (0, 0, 0)
    for service in checks { clips += try await service.pendingClipCount(limit: Self.maximumClips) }
    for service in self.webhooks { webhooks += try await service.waitingDeliveries() }
    for service in scans { waiting += try await service.queueDepth() }
    return [("clips", clips), ("scans", waiting), ("webhooks", webhooks)]
  }
}

/// Renders the availability of external dependencies in Prometheus' text exposition format 0.0.4.
enum DependencyMetrics {
  static func render(_ monitor: DependencyHealthMonitor) -> String {
    let away = Set(monitor.away.map(\.kind))
    var lines = [
      "# HELP mien_dependency_up 1 if the last health check of the external dependency succeeded, otherwise 0.",
      "# TYPE mien_dependency_up gauge",
    ]
    for dependency in monitor.parts {
      lines.append(
        "mien_dependency_up{dependency=\"\(dependency.kind.rawValue)\"} \(away.contains(dependency.kind) ? 0 : 1)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Renders the number of items deleted because they expired, for both realms together, in Prometheus' text exposition
/// format 0.0.4.
enum RetentionMetrics {
  static func render(_ counters: [PurgeCounter]) -> String {
    let totals = counters.map(\.totals)
    var lines = [
      "# HELP mien_retention_deletions_total Items deleted at the end of their retention period, by kind.",
      "# TYPE mien_retention_deletions_total counter",
    ]
    for kind in RetentionCategory.allCases {
      let count = totals.reduce(0) { $0 + $1[kind, default: 0] }
      lines.append("mien_retention_deletions_total{kind=\"\(kind.rawValue)\"} \(count)")
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
      # HELP mien_spans_total Trace spans, by outcome: sent to the collector, or dropped because it was too slow.
      # TYPE mien_spans_total counter
      mien_spans_total{outcome="sent"} \(counts.sent)
      mien_spans_total{outcome="dropped"} \(counts.dropped)

      """
  }
}
