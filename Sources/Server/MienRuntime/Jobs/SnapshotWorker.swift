internal import MienCore
internal import MienLiveSessions
internal import Logging
internal import MienPlatform
internal import ServiceLifecycle

/// Saves snapshots of running operations several times a second, so that another server can continue them if this one
/// crashes.
struct SnapshotWorker: Service {
  /// Plural noun for the saved states, used in the log.
  let what: String
  let host: any LiveSessionHost
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: .nanoseconds(LeaseTiming.interval.nanoseconds))
          try await host.saveChangedSessions()
        } catch is CancellationError {
          return
        } catch {
          logger.error(
            "states of \(what)", metadata: ["error": "\(error.logText)"])
        }
      }
    }
    // If releasing the leases fails, other servers take over once the leases expire.
    try? await host.release()
  }
}
