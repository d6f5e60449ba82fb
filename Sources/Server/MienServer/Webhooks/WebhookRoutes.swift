internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienWebhooks
internal import MienAPI

/// Routes of webhooks, which require an API key.
struct WebhookRoutes: Sendable {
  let realms: Realms
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    let policy = RoutePolicy(.key, .webhooks, body: 1024, origins: .none)
    routes.post("/v1/webhooks", RoutePolicy(.key, .webhooks, body: settings.maximumJSONBytes, origins: .none)) { call in
      let body = try await call.json(CreateWebhookRequest.self)
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
      let (webhook, secret) = try await realms[call.realm].webhooks.add(url: body.url, events: events)
      return JSONResponse.json(WebhookResponse(webhook, secret: secret), status: .created)
    }
    routes.get("/v1/webhooks", policy) { call in
      let webhooks = try await realms[call.realm].webhooks.list()
      return JSONResponse.json(WebhooksResponse(webhooks: webhooks.map { WebhookResponse($0) }))
    }
    routes.delete("/v1/webhooks/:webhook", policy) { call in
      try await realms[call.realm].webhooks.remove(Self.webhook(call))
      return JSONResponse.noContent
    }
    routes.post("/v1/webhooks/:webhook/secret", policy) { call in
      _ = try await call.body()
      let (webhook, secret) = try await realms[call.realm].webhooks.rotateSecret(of: Self.webhook(call))
      return JSONResponse.json(WebhookResponse(webhook, secret: secret))
    }
    routes.post("/v1/webhooks/:webhook/ping", policy) { call in
      _ = try await call.body()
      let delivery = try await realms[call.realm].webhooks.ping(Self.webhook(call))
      return JSONResponse.json(WebhookDeliveryResponse(delivery), status: .accepted)
    }
    routes.post("/v1/webhooks/:webhook/messages/:message/resend", policy) { call in
      _ = try await call.body()
      guard let id = WebhookDeliveryID(call.parameter("message")) else {
        throw ServiceError(.notFound, "This webhook has no message with this id.")
      }
      let delivery = try await realms[call.realm].webhooks.resend(id, of: Self.webhook(call))
      return JSONResponse.json(WebhookDeliveryResponse(delivery), status: .accepted)
    }
    routes.get("/v1/webhooks/:webhook/messages", policy) { call in
      let messages = try await realms[call.realm].webhooks.deliveries(of: Self.webhook(call))
      return JSONResponse.json(WebhookDeliveriesResponse(messages: messages.map { WebhookDeliveryResponse($0) }))
    }
  }

  private static func webhook(_ call: RouteCall) throws -> WebhookID {
    guard let id = WebhookID(call.parameter("webhook")) else {
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
      attempts: message.attempts, lastResult: message.answer,
      createdAt: JSONResponse.rfc3339(milliseconds: message.created.milliseconds),
      nextAt: message.state.isOver ? nil : JSONResponse.rfc3339(milliseconds: message.next.milliseconds))
  }
}
