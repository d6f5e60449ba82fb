import Logging
import MienCore
import MienService
import ServiceLifecycle

/// Keeps the states of what is under way several times a second, so that it goes on when this server dies.
struct SnapshotWorker: Service {
  /// What is kept, in the plural, for the log.
  let what: String
  let keep: @Sendable () async throws -> Void
  let release: @Sendable () async throws -> Void
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: .nanoseconds(LeaseTiming.interval.nanoseconds))
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
    try? await release()
  }
}

extension SnapshotWorker {
  init(_ service: LivenessCheckService<some FaceTracking>, logger: Logger) {
    self.init(what: "checks", keep: service.saveSnapshots, release: service.release, logger: logger)
  }

  init(_ service: MessageService<some FaceTracking>, logger: Logger) {
    self.init(what: "performances", keep: service.saveSnapshots, release: service.release, logger: logger)
  }
}
