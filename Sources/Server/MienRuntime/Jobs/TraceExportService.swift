internal import Logging
internal import MienServer
internal import ServiceLifecycle

/// Exports traces once a second, and less often while the collector does not respond. At shutdown, the remaining traces
/// are sent once without a retry.
struct TraceExportService: Service {
  /// Maximum delay between exports, in seconds.
  private static let longest = 30.0

  let exporter: TraceExporter
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var pause = 1.0
      var last = TraceExporter.Outcome.done
      while true {
        do { try await Task.sleep(for: .seconds(pause)) } catch { return }
        let outcome = await exporter.send()
        // A request interrupted by the shutdown says nothing about the collector.
        guard !Task.isCancelled else { return }
        logChange(outcome, after: last)
        last = outcome
        pause = outcome == .away ? min(pause * 2, Self.longest) : 1
      }
    }
    _ = await exporter.send()
  }

  /// Logs changes of the outcome only.
  private func logChange(_ outcome: TraceExporter.Outcome, after last: TraceExporter.Outcome) {
    guard outcome != last else { return }
    switch outcome {
    case .done: logger.notice("traces are sent again")
    case .away: logger.error("traces: the collector does not respond")
    case .refused(let status): logger.error("traces: the collector rejects them", metadata: ["status": "\(status)"])
    }
  }
}
