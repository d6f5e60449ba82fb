public import MienPlatform
public import MienSecurity
internal import Crypto
internal import MienCore

/// Delivers the events of an outbox to their targets. One per store; several processes may share a store.
public actor WebhookDispatcher {
  private nonisolated let store: any WebhookStore
  private nonisolated let keyring: MasterKeyring
  private nonisolated let carrier: any WebhookTransport
  private nonisolated let clock: any ServiceClock
  private nonisolated let settings: WebhookSettings
  private nonisolated let meter: ServiceMetrics
  private nonisolated let payloads: any WebhookPayloadSource
  private var randomness: any RandomNumberGenerator & Sendable
  private var runningAttempts = 0
  private var isStopping = false
  private var nextPurge: UnixTime?

  public init(
    store: any WebhookStore, keyring: MasterKeyring, carrier: any WebhookTransport,
    clock: any ServiceClock,
    settings: WebhookSettings = WebhookSettings(), meter: ServiceMetrics,
    generator: any RandomNumberGenerator & Sendable,
    payloads: any WebhookPayloadSource
  ) {
    self.store = store
    self.keyring = keyring
    self.carrier = carrier
    self.clock = clock
    self.settings = settings
    self.meter = meter
    self.randomness = generator
    self.payloads = payloads
  }

  /// Runs until `pause` returns `false`, then waits for running attempts.
  ///
  /// - Parameters:
  ///   - pause: called between two polls of the outbox; returns `true` when it is time for the next.
  ///   - trouble: called with store errors; the delivery becomes due again by itself.
  public func run(
    pausing pause: @escaping @Sendable () async -> Bool, trouble: @escaping @Sendable (any Error) -> Void
  ) async {
    isStopping = false
    await withDiscardingTaskGroup { group in
      while await pause() {
        do {
          for claimed in try await take() {
            group.addTask { await self.work(from: claimed, trouble: trouble) }
          }
        } catch {
          trouble(error)
        }
      }
      isStopping = true
    }
  }

  /// Delivers an event, then other due ones in sequence, so that a backlog does not wait for the polling interval.
  private func work(from first: ClaimedWebhookDelivery, trouble: @Sendable (any Error) -> Void) async {
    var next: ClaimedWebhookDelivery? = first
    while let claimed = next {
      do {
        try await deliver(claimed)
        next = isStopping ? nil : try await take(atMost: 1).first
      } catch {
        trouble(error)
        next = nil
      }
    }
  }

  /// Claims due deliveries, limited by `limit` and by the maximum number of concurrent attempts.
  public func take(atMost limit: Int = .max) async throws -> [ClaimedWebhookDelivery] {
    let now = clock.timeOfDay()
    try await purgeOld(at: now)
    let capacity = min(settings.maximumAtOnce - runningAttempts, limit)
    guard capacity > 0 else { return [] }
    let deliveries = try await store.takeMessages(dueAt: now, until: now.adding(settings.lease), limit: capacity)
    runningAttempts += deliveries.count
    return deliveries
  }

  /// Makes one attempt for a delivery claimed by ``take(atMost:)``, and records its outcome.
  public func deliver(_ claimed: ClaimedWebhookDelivery) async throws {
    defer { runningAttempts -= 1 }
    try await meter.times.traces.job("webhook.deliver", .internal, [.attempt(claimed.message.attempts)]) {
      try await send(claimed)
    }
  }

  private func send(_ claimed: ClaimedWebhookDelivery) async throws {
    let message = claimed.message
    guard let body = try await body(of: message) else { return }  // deleted meanwhile, along with the delivery
    let answer = await attempt(claimed, body)
    let now = clock.timeOfDay()
    switch answer {
    case .status(200..<300, _):
      try await settle(message, as: .delivered, at: now, answer, counting: .delivered)
    case .status(410, _):
      try await settle(message, as: .failed, at: now, answer, counting: .gone)
      try await store.disable(message.webhook, at: now, answer: answer.code)
    case .status(_, let wait):
      try await tryAgain(message, answer, at: now, wait: wait)
    case .failed:
      try await tryAgain(message, answer, at: now, wait: nil)
    }
  }

  private func attempt(_ claimed: ClaimedWebhookDelivery, _ body: [UInt8]) async -> DeliveryResult {
    let now = clock.timeOfDay()
    guard let secrets = WebhookSecrets(claimed.endpoint, keyring: keyring, now: now) else {
      return .failed(.secretUnreadable)
    }
    let seconds = now.milliseconds / 1000
    let signature = WebhookSignature.text(
      id: claimed.message.id, timestamp: seconds, body: body, secrets: secrets.secrets, key: secrets.key)
    // The target belongs to the integrator and is not recorded in spans.
    let span = meter.times.traces.beginPart("webhook.post", .client, [.method("POST"), .bytes(body.count)])
    let answer = await carrier.post(
      WebhookRequest(
        url: claimed.endpoint.url,
        headers: [
          .init("content-type", "application/json"), .init("user-agent", "mien"),
          .init("webhook-id", claimed.message.id.text), .init("webhook-timestamp", "\(seconds)"),
          .init("webhook-signature", signature),
        ], body: body))
    span?.end(answered: answer)
    return answer
  }

  /// Returns the same bytes for each attempt: created once and stored.
  private func body(of message: WebhookDelivery) async throws -> [UInt8]? {
    if let body = message.body { return body }
    guard let body = try await payloads.body(of: message) else { return nil }
    return try await store.save(body: body, of: message.id)
  }

  private func tryAgain(
    _ message: WebhookDelivery, _ answer: DeliveryResult, at now: UnixTime, wait: WebhookRetryDelay?
  ) async throws {
    let asked: Interval? =
      switch wait {
      case .interval(let interval): interval
      case .until(let time): .milliseconds(Double(time.milliseconds - now.milliseconds))
      case nil: nil
      }
    if let next = settings.retry(after: message.attempts, at: now, asked: asked, using: &randomness) {
      try await settle(message, as: .pending, at: next, answer, counting: .retried)
    } else {
      try await settle(message, as: .failed, at: now, answer, counting: .failed)
    }
  }

  private func settle(
    _ message: WebhookDelivery, as state: WebhookDelivery.State, at time: UnixTime, _ answer: DeliveryResult,
    counting outcome: ServiceMetrics.WebhookOutcome
  ) async throws {
    // Counted even if it cannot be recorded: the target has received it.
    meter.webhook(outcome)
    _ = try await store.complete(message.id, after: message.attempts, as: state, at: time, answer: answer.code)
  }

  private func purgeOld(at now: UnixTime) async throws {
    if let nextPurge, now < nextPurge { return }
    nextPurge = now.adding(.seconds(3600))
    _ = try await store.purgeMessages(overBefore: now.adding(Interval(nanoseconds: -settings.history.nanoseconds)))
  }
}
