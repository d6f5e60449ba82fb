/// Body of `POST /v1/webhooks`: the URL to which verdicts are posted.
public struct CreateWebhookRequest: Codable, Hashable, Sendable {
  public var url: String
  /// `check.passed`, `check.failed`, `check.timed-out`; all of them if omitted.
  public var events: [String]?

  public enum CodingKeys: String, CodingKey, CaseIterable { case url, events }

  public init(url: String, events: [String]? = nil) {
    self.url = url
    self.events = events
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    url = try box.decode(String.self, forKey: .url)
    events = try box.decodeIfPresent([String].self, forKey: .events)
  }
}

/// A webhook. Its secret is returned only once, when it is created or rotated.
public struct WebhookResponse: Codable, Hashable, Sendable {
  public var id: String
  public var url: String
  public var events: [String]
  /// `whsec_` and base64.
  public var secret: String?
  /// `whpk_` and base64.
  public var publicKey: String
  public var createdAt: String
  /// Time since when no more events are posted, because the receiver responded with 410.
  public var disabledAt: String?
  /// Time until which the previous secret also signs; present after a rotation.
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

/// Response to `GET /v1/webhooks`.
public struct WebhooksResponse: Codable, Hashable, Sendable {
  public var webhooks: [WebhookResponse]

  public init(webhooks: [WebhookResponse]) {
    self.webhooks = webhooks
  }
}

/// One message of a webhook and its delivery state.
public struct WebhookDeliveryResponse: Codable, Hashable, Sendable {
  /// Value of the header `webhook-id`.
  public var id: String
  public var event: String
  /// Check that the event refers to; absent for a ping.
  public var check: String?
  /// `pending`, `delivered` or `failed`.
  public var state: String
  public var attempts: Int
  /// Result of the last attempt: an HTTP status or a code such as `timeout`.
  public var lastResult: String?
  public var createdAt: String
  /// Earliest time of the next attempt; present while pending.
  public var nextAt: String?

  public enum CodingKeys: String, CodingKey {
    case id, event, check, state, attempts
    case lastResult = "last_result"
    case createdAt = "created_at"
    case nextAt = "next_at"
  }

  public init(
    id: String, event: String, check: String?, state: String, attempts: Int, lastResult: String?, createdAt: String,
    nextAt: String?
  ) {
    self.id = id
    self.event = event
    self.check = check
    self.state = state
    self.attempts = attempts
    self.lastResult = lastResult
    self.createdAt = createdAt
    self.nextAt = nextAt
  }
}

/// Response to `GET /v1/webhooks/{id}/messages`.
public struct WebhookDeliveriesResponse: Codable, Hashable, Sendable {
  public var messages: [WebhookDeliveryResponse]

  public init(messages: [WebhookDeliveryResponse]) {
    self.messages = messages
  }
}

/// Body posted to a webhook (Standard Webhooks 1.0).
public struct WebhookBody: Codable, Hashable, Sendable {
  /// Event type, such as `check.passed`.
  public var type: String
  /// Time of the event, RFC 3339.
  public var timestamp: String
  public var data: Payload

  public struct Payload: Codable, Hashable, Sendable {
    /// Check ID; for a ping, the webhook's ID.
    public var id: String
    /// `passed`, `failed` or `timed-out`; absent in a ping.
    public var state: String?
    public var reason: String?
    /// `observed`, `claimed` or `none`; absent in a ping.
    public var source: String?
    /// Requested level, or the server's default; absent in a ping, and if tasks were requested without one.
    public var assurance: String?
    /// log₂ of the number of variants of the tasks that the server chose from; absent in a ping.
    public var bitsOfChoice: Double?
    /// Basis of the verdict, from weakest to strongest: `none`, `claimed`, `depth`, `frames`; absent in a ping.
    public var basis: String?
    /// Signals that were assessed and those that were not; absent in a ping.
    public var signals: SignalsResponse?
    public var reference: String?
    public var person: String?
    /// Result as a compact JWS (``SignedResult``).
    public var signed: String?

    public enum CodingKeys: String, CodingKey {
      case id, state, reason, source, assurance, basis, signals, reference, person, signed
      case bitsOfChoice = "bits_of_choice"
    }

    public init(
      id: String, state: String? = nil, reason: String? = nil, source: String? = nil, assurance: String? = nil,
      bitsOfChoice: Double? = nil, basis: String? = nil, signals: SignalsResponse? = nil,
      reference: String? = nil, person: String? = nil, signed: String? = nil
    ) {
      self.id = id
      self.state = state
      self.reason = reason
      self.source = source
      self.assurance = assurance
      self.bitsOfChoice = bitsOfChoice
      self.basis = basis
      self.signals = signals
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
