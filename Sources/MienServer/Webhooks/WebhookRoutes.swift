internal import Hummingbird
internal import MienModel
internal import MienService
internal import MienWire

/// The routes of webhooks: for backends with an API key only.
struct WebhookRoutes<Observer: FaceObserver>: Sendable {
  let spaces: Spaces<Observer>
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    router.post("/v1/webhooks") { request, _ in
      let service = try await spaces.authorised(request).service
      let body = try await Requests.json(CreateWebhookRequest.self, request, upTo: settings.maximumJSONBytes)
      let events = try body.events?.map { name in
        guard let event = WebhookEvent(rawValue: name) else {
          throw ServiceError(
            .badValue,
            "There is no event of this name; there are "
              + "\(WebhookEvent.subscribable.map(\.rawValue).joined(separator: ", ")).")
        }
        return event
      }
      try await HTTPWebhookCarrier(allowsPrivate: settings.allowsPrivateWebhooks).admit(body.url)
      let (webhook, secret) = try await service.addWebhook(url: body.url, events: events)
      return Replies.json(WebhookReply(webhook, secret: secret), status: .created)
    }
    router.get("/v1/webhooks") { request, _ in
      let webhooks = try await spaces.authorised(request).service.webhooks()
      return Replies.json(WebhooksReply(webhooks: webhooks.map { WebhookReply($0) }))
    }
    router.delete("/v1/webhooks/:webhook") { request, context in
      let service = try await spaces.authorised(request).service
      try await service.removeWebhook(Self.webhook(context))
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    router.post("/v1/webhooks/:webhook/secret") { request, context in
      let service = try await spaces.authorised(request).service
      _ = try await Requests.body(request, upTo: 1024)
      let (webhook, secret) = try await service.rotateWebhook(Self.webhook(context))
      return Replies.json(WebhookReply(webhook, secret: secret))
    }
    router.post("/v1/webhooks/:webhook/ping") { request, context in
      let service = try await spaces.authorised(request).service
      _ = try await Requests.body(request, upTo: 1024)
      return Replies.json(
        WebhookMessageReply(try await service.pingWebhook(Self.webhook(context))), status: .accepted)
    }
    router.get("/v1/webhooks/:webhook/messages") { request, context in
      let messages = try await spaces.authorised(request).service.webhookMessages(of: Self.webhook(context))
      return Replies.json(WebhookMessagesReply(messages: messages.map { WebhookMessageReply($0) }))
    }
  }

  private static func webhook(_ context: some RequestContext) throws -> WebhookID {
    guard let id = context.parameters.get("webhook").flatMap({ WebhookID($0) }) else {
      throw ServiceError(.notFound, "There is no webhook with this id on this server.")
    }
    return id
  }
}

extension WebhookReply {
  init(_ webhook: WebhookEndpoint, secret: String? = nil) {
    self.init(
      id: webhook.id.text, url: webhook.url, events: webhook.events.map(\.rawValue), secret: secret,
      publicKey: webhook.publicKeyText, createdAt: Replies.rfc3339(milliseconds: webhook.created.milliseconds),
      disabledAt: webhook.disabled.map { Replies.rfc3339(milliseconds: $0.milliseconds) },
      oldSecretUntil: webhook.previous.map { Replies.rfc3339(milliseconds: $0.until.milliseconds) })
  }
}

extension WebhookMessageReply {
  init(_ message: WebhookMessage) {
    let state = message.state == .sending ? WebhookMessage.State.pending : message.state
    self.init(
      id: message.id.text, event: message.event.rawValue, check: message.check?.text, state: state.rawValue,
      attempts: message.attempts, answer: message.answer,
      createdAt: Replies.rfc3339(milliseconds: message.created.milliseconds),
      nextAt: message.state.isOver ? nil : Replies.rfc3339(milliseconds: message.next.milliseconds))
  }
}
