internal import Logging
internal import MienWebhooks
internal import ServiceLifecycle

/// Runs a webhook dispatcher, which polls its outbox twice a second; at shutdown, deliveries in progress are completed.
struct WebhookDispatchService: Service {
  let dispatcher: WebhookDispatcher
  let logger: Logger

  func run() async throws {
    await dispatcher.run {
      await cancelWhenGracefulShutdown { try? await Task.sleep(for: .milliseconds(500)) }
      return !Task.isShuttingDownGracefully && !Task.isCancelled
    } trouble: { error in
      logger.error("webhook", metadata: ["error": "\(error.logText)"])
    }
  }
}
