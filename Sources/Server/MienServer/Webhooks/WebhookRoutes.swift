internal import Hummingbird
internal import MienCore
internal import MienService
internal import MienAPI

/// Routes of webhooks, which require an API key.
struct WebhookRoutes<Observer: FaceTracking>: Sendable {
  let spaces: Realms<Observer>
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    router.post("/v1/webhooks") { request, _ in
      let service = try await spaces.authorized(request).service
      let body = try await RequestParsing.json(CreateWebhookRequest.self, request, upTo: settings.maximumJSONBytes)
      let events = try body.events?.map { name in
        guard let event = WebhookEvent(rawValue: name) else {
          throw ServiceError(
            .badValue,
            "There is no event of this name; there are "
              + "\(WebhookEvent.subscribable.map(\.rawValue).joined(separator: ", ")).")
        }
        return event
      }
      try await HTTPWebhookTransport(allowsPrivate: settings.allowsPrivateWebhooks).admit(body.url)
      let (webhook, secret) = try await service.addWebhook(url: body.url, events: events)
      return JSONResponse.json(WebhookResponse(webhook, secret: secret), status: .created)
    }
    router.get("/v1/webhooks") { request, _ in
      let webhooks = try await spaces.authorized(request).service.webhooks()
      return JSONResponse.json(WebhooksResponse(webhooks: webhooks.map { WebhookResponse($0) }))
    }
    router.delete("/v1/webhooks/:webhook") { request, context in
      let service = try await spaces.authorized(request).service
      try await service.removeWebhook(Self.webhook(context))
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    router.post("/v1/webhooks/:webhook/secret") { request, context in
      let service = try await spaces.authorized(request).service
      _ = try await RequestParsing.body(request, upTo: 1024)
      let (webhook, secret) = try await service.rotateWebhook(Self.webhook(context))
      return JSONResponse.json(WebhookResponse(webhook, secret: secret))
    }
    router.post("/v1/webhooks/:webhook/ping") { request, context in
      let service = try await spaces.authorized(request).service
      _ = try await RequestParsing.body(request, upTo: 1024)
      return JSONResponse.json(
        WebhookDeliveryResponse(try await service.pingWebhook(Self.webhook(context))), status: .accepted)
    }
    router.get("/v1/webhooks/:webhook/messages") { request, context in
      let messages = try await spaces.authorized(request).service.webhookMessages(of: Self.webhook(context))
      return JSONResponse.json(WebhookDeliveriesResponse(messages: messages.map { WebhookDeliveryResponse($0) }))
    }
  }

  private static func webhook(_ context: some RequestContext) throws -> WebhookID {
    guard let id = context.parameters.get("webhook").flatMap({ WebhookID($0) }) else {
      throw ServiceError(.notFound, "There is no webhook with this id on this server.")
    }
    return id
  }
}

extension WebhookResponse {
  init(_ webhook: WebhookEndpoint, secret: String? = nil) {
    self.init(
      id: webhook.id.text, url: webhook.url, events: webhook.events.map(\.rawValue), secret: secret,
      publicKey: webhook.publicKeyText, createdAt: JSONResponse.rfc3339(milliseconds: webhook.created.milliseconds),
      disabledAt: webhook.disabled.map { JSONResponse.rfc3339(milliseconds: $0.milliseconds) },
      oldSecretUntil: webhook.previous.map { JSONResponse.rfc3339(milliseconds: $0.until.milliseconds) })
  }
}

extension WebhookDeliveryResponse {
  init(_ message: WebhookDelivery) {
    let state = message.state == .sending ? WebhookDelivery.State.pending : message.state
    self.init(
      id: message.id.text, event: message.event.rawValue, check: message.check?.text, state: state.rawValue,
      attempts: message.attempts, answer: message.answer,
      createdAt: JSONResponse.rfc3339(milliseconds: message.created.milliseconds),
      nextAt: message.state.isOver ? nil : JSONResponse.rfc3339(milliseconds: message.next.milliseconds))
  }
}
