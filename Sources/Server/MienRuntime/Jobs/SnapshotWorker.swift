internal import MienLiveSessions
internal import Logging
internal import MienCore
internal import MienPlatform
internal import MienChecks
internal import MienMessageService
internal import ServiceLifecycle

/// Saves snapshots of running operations several times a second, so that another server can continue them if this one
/// crashes.
struct SnapshotWorker: Service {
  /// Plural noun for the saved states, used in the log.
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
    // If releasing the leases fails, other servers take over once the leases expire.
    try? await release()
  }
}

extension SnapshotWorker {
  init(_ service: LivenessCheckService, logger: Logger) {
    self.init(what: "checks", keep: service.saveSnapshots, release: service.release, logger: logger)
  }

  init(_ service: MessageService, logger: Logger) {
    self.init(what: "performances", keep: service.saveSnapshots, release: service.release, logger: logger)
  }
}
