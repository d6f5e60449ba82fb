import Logging
import MienService
import ServiceLifecycle

/// Lets a courier look into its outbox twice a second; on shutdown it waits for what is under way.
struct WebhookDispatchService: Service {
  let dispatcher: WebhookDispatcher
  let logger: Logger

  func run() async throws {
    await dispatcher.run {
      await cancelWhenGracefulShutdown { try? await Task.sleep(for: .milliseconds(500)) }
      return !Task.isShuttingDownGracefully && !Task.isCancelled
    } trouble: { error in
      logger.error("webhook", metadata: ["error": "\(error)"])
    }
  }
}
