internal import MienPlatform
internal import MienWebhooks
internal import MienChecks
internal import MienScanService

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
