import Logging
import MienModel
import MienService
import ServiceLifecycle

/// Keeps the states of what is under way several times a second, so that it goes on when this server dies.
struct StateKeeper: Service {
  /// What is kept, in the plural, for the log.
  let what: String
  let keep: @Sendable () async throws -> Void
  let letGo: @Sendable () async throws -> Void
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: .nanoseconds(LiveHold.interval.nanoseconds))
          try await keep()
        } catch is CancellationError {
          return
        } catch {
          logger.error(
            "states of \(what)", metadata: ["error": "\((error as? StoreError)?.reason ?? "\(type(of: error))")"])
        }
      }
    }
    // Whoever does not get to do so has died: others wait a moment and take them all the same.
    try? await letGo()
  }
}

extension StateKeeper {
  init(_ service: CheckService<some FaceObserver>, logger: Logger) {
    self.init(what: "checks", keep: service.keepSnapshots, letGo: service.letGo, logger: logger)
  }

  init(_ service: MessageService<some FaceObserver>, logger: Logger) {
    self.init(what: "performances", keep: service.keepSnapshots, letGo: service.letGo, logger: logger)
  }
}
