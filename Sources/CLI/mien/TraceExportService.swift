import Logging
import MienServer
import ServiceLifecycle

/// Sends what was traced, once a second; less often while the collector is away. At the end it sends what is left, once: nothing waits
/// for a collector.
struct TraceExportService: Service {
  /// The longest pause, in seconds.
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
        // What was cut off by the end says nothing of the collector.
        guard !Task.isCancelled else { return }
        tell(outcome, after: last)
        last = outcome
        pause = outcome == .away ? min(pause * 2, Self.longest) : 1
      }
    }
    _ = await exporter.send()
  }

  /// Only what has changed.
  private func tell(_ outcome: TraceExporter.Outcome, after last: TraceExporter.Outcome) {
    guard outcome != last else { return }
    switch outcome {
    case .done: logger.notice("traces are sent again")
    case .away: logger.error("traces: the collector does not answer")
    case .refused(let status): logger.error("traces: the collector refuses them", metadata: ["status": "\(status)"])
    }
  }
}
