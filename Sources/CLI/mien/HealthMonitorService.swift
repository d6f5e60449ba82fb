import Logging
import MienCore
import MienService
import ServiceLifecycle

/// Looks at the parts outside the process as long as the server serves, and says when one goes and when it is back.
struct HealthMonitorService: Service {
  let watch: DependencyHealthMonitor
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        // Each by itself: one that does not answer keeps nobody from looking at the others.
        for index in watch.parts.indices { group.addTask { await keepLooking(at: index) } }
      }
    }
  }

  private func keepLooking(at index: Int) async {
    while !Task.isCancelled {
      if let isAway = await watch.probe(at: index) {
        let part: Logger.Metadata = ["part": "\(watch.parts[index].kind.rawValue)"]
        if isAway {
          logger.error("a part is away", metadata: part)
        } else {
          logger.notice("a part is back", metadata: part)
        }
      }
      do { try await Task.sleep(for: .nanoseconds(DependencyHealthMonitor.pause.nanoseconds)) } catch { return }
    }
  }
}
