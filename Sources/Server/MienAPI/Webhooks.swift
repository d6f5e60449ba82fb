/// The body of `POST /v1/webhooks`: where to post verdicts.
public struct CreateWebhookRequest: Codable, Hashable, Sendable {
  public var url: String
  /// `check.passed`, `check.failed`, `check.timed-out`; left out, all of them.
  public var events: [String]?

  public enum CodingKeys: String, CodingKey, CaseIterable { case url, events }

  public init(url: String, events: [String]? = nil) {
    self.url = url
    self.events = events
  }

  /// - Throws: ``UnknownKeyError`` for a key that is not in the document; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    url = try box.decode(String.self, forKey: .url)
    events = try box.decodeIfPresent([String].self, forKey: .events)
  }
}

/// A webhook. Its secret is shown once, when it is made or changed.
public struct WebhookResponse: Codable, Hashable, Sendable {
  public var id: String
  public var url: String
  public var events: [String]
  /// `whsec_` and base64.
  public var secret: String?
  /// `whpk_` and base64.
  public var publicKey: String
  public var createdAt: String
  /// Since when nothing is posted any more, because the target answered 410.
  public var disabledAt: String?
  /// Until when the secret before the last change signs too; once it was changed.
  public var oldSecretUntil: String?

  public enum CodingKeys: String, CodingKey {
    case id, url, events, secret
    case publicKey = "public_key"
    case createdAt = "created_at"
    case disabledAt = "disabled_at"
    case oldSecretUntil = "old_secret_until"
  }

  public init(
    id: String, url: String, events: [String], secret: String?, publicKey: String, createdAt: String,
    disabledAt: String?, oldSecretUntil: String?
  ) {
    self.id = id
    self.url = url
    self.events = events
    self.secret = secret
    self.publicKey = publicKey
    self.createdAt = createdAt
    self.disabledAt = disabledAt
    self.oldSecretUntil = oldSecretUntil
  }
}

/// What `GET /v1/webhooks` returns.
public struct WebhooksResponse: Codable, Hashable, Sendable {
  public var webhooks: [WebhookResponse]

  public init(webhooks: [WebhookResponse]) {
    self.webhooks = webhooks
  }
}

/// One message of a webhook and what became of it.
public struct WebhookDeliveryResponse: Codable, Hashable, Sendable {
  /// What the receiver gets as `webhook-id`.
  public var id: String
  public var event: String
  /// The check it tells of; absent for a ping.
  public var check: String?
  /// `pending`, `delivered` or `given-up`.
  public var state: String
  public var attempts: Int
  /// What came of the last attempt: an HTTP status or a code such as `timeout`.
  public var answer: String?
  public var createdAt: String
  /// When it is tried next at the earliest; while it is pending.
  public var nextAt: String?

  public enum CodingKeys: String, CodingKey {
    case id, event, check, state, attempts, answer
    case createdAt = "created_at"
    case nextAt = "next_at"
  }

  public init(
    id: String, event: String, check: String?, state: String, attempts: Int, answer: String?, createdAt: String,
    nextAt: String?
  ) {
    self.id = id
    self.event = event
    self.check = check
    self.state = state
    self.attempts = attempts
    self.answer = answer
    self.createdAt = createdAt
    self.nextAt = nextAt
  }
}

/// What `GET /v1/webhooks/{id}/messages` returns.
public struct WebhookDeliveriesResponse: Codable, Hashable, Sendable {
  public var messages: [WebhookDeliveryResponse]

  public init(messages: [WebhookDeliveryResponse]) {
    self.messages = messages
  }
}

/// What is posted to a webhook (Standard Webhooks 1.0).
public struct WebhookBody: Codable, Hashable, Sendable {
  /// The event, such as `check.passed`.
  public var type: String
  /// When it happened, RFC 3339.
  public var timestamp: String
  public var data: Payload

  public struct Payload: Codable, Hashable, Sendable {
    /// The check's id; for a ping the webhook's.
    public var id: String
    /// `passed`, `failed` or `timed-out`; absent in a ping.
    public var state: String?
    public var reason: String?
    /// `observed`, `claimed` or `none`; absent in a ping.
    public var source: String?
    /// What the verdict rests on, from the least to the most: `none`, `claimed`, `depth`, `frames`; absent in a ping.
    public var assurance: String?
    public var reference: String?
    public var person: String?
    /// The result as a compact JWS (``SignedResult``).
    public var signed: String?

    public init(
      id: String, state: String? = nil, reason: String? = nil, source: String? = nil, assurance: String? = nil,
      reference: String? = nil, person: String? = nil, signed: String? = nil
    ) {
      self.id = id
      self.state = state
      self.reason = reason
      self.source = source
      self.assurance = assurance
      self.reference = reference
      self.person = person
      self.signed = signed
    }
  }

  public init(type: String, timestamp: String, data: Payload) {
    self.type = type
    self.timestamp = timestamp
    self.data = data
  }
}
