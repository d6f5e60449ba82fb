internal import Logging
internal import ServiceLifecycle

/// Runs a job every second.
struct PeriodicJob: Service {
  private let job: @Sendable () async throws -> Void
  private let logger: Logger

  init(logger: Logger, _ job: @escaping @Sendable () async throws -> Void) {
    self.job = job
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: .seconds(1))
          try await job()
        } catch is CancellationError {
          return
        } catch {
          logger.error("sweep", metadata: ["error": "\(error)"])
        }
      }
    }
  }
}
