internal import Logging
internal import MienCore
internal import MienPlatform
internal import ServiceLifecycle

/// Monitors external dependencies while the server runs, and logs when one becomes unavailable or recovers.
struct HealthMonitorService: Service {
  let monitor: DependencyHealthMonitor
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        // Probed independently, so that one that does not respond does not delay the others.
        for index in monitor.parts.indices { group.addTask { await keepLooking(at: index) } }
      }
    }
  }

  private func keepLooking(at index: Int) async {
    while !Task.isCancelled {
      if let isAway = await monitor.probe(at: index) {
        let part: Logger.Metadata = ["part": "\(monitor.parts[index].kind.rawValue)"]
        if isAway {
          logger.error("a dependency is unavailable", metadata: part)
        } else {
          logger.notice("a dependency is available again", metadata: part)
        }
      }
      do { try await Task.sleep(for: .nanoseconds(DependencyHealthMonitor.pause.nanoseconds)) } catch { return }
    }
  }
}
