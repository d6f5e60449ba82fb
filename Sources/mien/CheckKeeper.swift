import Logging
import MienModel
import MienService
import ServiceLifecycle

/// Keeps the states of checks under way several times a second, so that they go on when this server dies.
struct CheckKeeper<Observer: FaceObserver>: Service {
  let service: CheckService<Observer>
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: .nanoseconds(LiveHold.interval.nanoseconds))
          try await service.keepSnapshots()
        } catch is CancellationError {
          return
        } catch {
          logger.error(
            "states of checks", metadata: ["error": "\((error as? StoreError)?.reason ?? "\(type(of: error))")"])
        }
      }
    }
    // Whoever does not get to do so has died: others wait a moment and take the checks all the same.
    try? await service.letGo()
  }
}
