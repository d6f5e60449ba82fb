internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import MienWebhooks
internal import MienChecks

/// Webhooks and their messages: tables `webhook_endpoint` and `webhook_message`.
extension SQLStore {
  public func add(_ endpoint: WebhookEndpoint, atMost limit: Int) async throws -> Bool {
    try await transaction("Storing a webhook") { db in
      // Without the lock, two concurrent registrations could both pass the limit.
      try db.lock("mien webhooks", "")
      guard try db.count("SELECT count(*) AS count FROM mien.webhook_endpoint") < limit else { return false }
      try db.insert(
        "webhook_endpoint",
        [
          "id", "url", "events", "secret", "previous_secret", "previous_until_ms", "signing_key", "public_key",
          "created_ms", "disabled_ms",
        ],
        [
          endpoint.id, endpoint.url, endpoint.events.map(\.rawValue).joined(separator: " "), endpoint.secret,
          endpoint.previous?.secret, endpoint.previous?.until, endpoint.signingKey, endpoint.publicKey,
          endpoint.created, endpoint.disabled,
        ])
      return true
    }
  }

  public func webhooks() async throws -> [WebhookEndpoint] {
    try await read("Reading webhooks") { db in
      try db.rows("SELECT * FROM mien.webhook_endpoint ORDER BY created_ms, id").map(Self.endpoint)
    }
  }

  public func webhook(_ id: WebhookID) async throws -> WebhookEndpoint? {
    try await read("Reading a webhook") { db in
      try db.first("SELECT * FROM mien.webhook_endpoint WHERE id = $1", [id]).map(Self.endpoint)
    }
  }

  public func removeWebhook(_ id: WebhookID) async throws -> Bool {
    try await purging(change("Removing a webhook", "DELETE FROM mien.webhook_endpoint WHERE id = $1", [id])) > 0
  }

  public func rotate(_ id: WebhookID, to secret: [UInt8], keepingOldUntil until: UnixTime) async throws -> Bool {
    try await change(
      "Storing a webhook's secret",
      """
      UPDATE mien.webhook_endpoint SET previous_secret = secret, previous_until_ms = $1, secret = $2 WHERE id = $3
      """, [until, secret, id]) > 0
  }

  public func disable(_ id: WebhookID, at time: UnixTime, answer: String) async throws {
    try await transaction("Disabling a webhook") { db in
      try db.execute(
        "UPDATE mien.webhook_endpoint SET disabled_ms = $1 WHERE id = $2 AND disabled_ms IS NULL", [time, id])
      try db.execute(
        """
        UPDATE mien.webhook_message SET state = 'failed', next_ms = $1, answer = $2, body = NULL
        WHERE endpoint = $3 AND state IN ('pending', 'sending')
        """, [time, answer, id])
    }
  }

  // MARK: - Messages

  public func post(_ message: WebhookDelivery) async throws {
    try await write("Storing a webhook message") { db in try insert([message], into: db) }
  }

  public func resend(
    _ id: WebhookDeliveryID, of webhook: WebhookID, at time: UnixTime
  ) async throws -> WebhookDelivery? {
    try await write("Queueing a webhook message again") { db in
      try db.first(
        """
        UPDATE mien.webhook_message SET state = 'pending', attempts = 0, next_ms = $1
        WHERE id = $2 AND endpoint = $3 AND state IN ('delivered', 'failed') RETURNING *
        """, [time, id, webhook]
      ).map { try message($0) }
    }
  }

  public func messages(of id: WebhookID, limit: Int) async throws -> [WebhookDelivery] {
    try await read("Reading webhook messages") { db in
      try db.rows(
        "SELECT * FROM mien.webhook_message WHERE endpoint = $1 ORDER BY created_ms DESC, id LIMIT $2", [id, limit]
      ).map { try message($0) }
    }
  }

  public func takeMessages(dueAt now: UnixTime, until: UnixTime, limit: Int) async throws -> [ClaimedWebhookDelivery] {
    // Usually nothing is due, so read before starting a transaction.
    let isDue = try await read("Claiming webhook messages") { db in try db.exists(Self.due, [now, 1]) }
    guard isDue else { return [] }
    return try await transaction("Claiming webhook messages") { db in
      // Webhooks locked by another server are skipped: no server waits, and nothing is sent twice.
      let due = try db.rows(Self.due + " FOR NO KEY UPDATE OF e SKIP LOCKED", [now, limit])
      return try due.flatMap { row in
        let endpoint = try Self.endpoint(row)
        // The message was found before the webhook was locked, so look again.
        return try db.rows(
          """
          UPDATE mien.webhook_message SET state = 'sending', attempts = attempts + 1, next_ms = $1
          WHERE id = (
            SELECT id FROM mien.webhook_message WHERE endpoint = $2 AND state IN ('pending', 'sending')
              AND next_ms <= $3 ORDER BY next_ms LIMIT 1
          ) AND NOT EXISTS (
            SELECT 1 FROM mien.webhook_message WHERE endpoint = $2 AND state = 'sending' AND next_ms > $3
          )
          RETURNING *
          """, [until, endpoint.id, now]
        ).map { ClaimedWebhookDelivery(message: try message($0), endpoint: endpoint) }
      }
    }
  }

  /// Query for the webhooks without a message in delivery and with a due message, longest waiting first.
  private static var due: String {
    """
    SELECT e.* FROM mien.webhook_endpoint e
    WHERE EXISTS (
      SELECT 1 FROM mien.webhook_message WHERE endpoint = e.id AND state IN ('pending', 'sending') AND next_ms <= $1
    ) AND NOT EXISTS (
      SELECT 1 FROM mien.webhook_message WHERE endpoint = e.id AND state = 'sending' AND next_ms > $1
    )
    ORDER BY (
      SELECT min(next_ms) FROM mien.webhook_message WHERE endpoint = e.id AND state IN ('pending', 'sending')
    ) LIMIT $2
    """
  }

  public func save(body: [UInt8], of id: WebhookDeliveryID) async throws -> [UInt8]? {
    let sealed = keyring.close(body, .webhookBody, of: id.text)
    return try await write("Storing a webhook message's body") { db in
      try db.first(
        """
        UPDATE mien.webhook_message SET body = coalesce(body, $1)
        WHERE id = $2 AND state IN ('pending', 'sending') RETURNING body
        """, [sealed, id]
      ).map { try keyring.open(try $0["body"], .webhookBody, of: id.text) }
    }
  }

  public func complete(
    _ id: WebhookDeliveryID, after attempt: Int, as state: WebhookDelivery.State, at time: UnixTime, answer: String
  ) async throws -> Bool {
    try await change(
      "Storing a webhook message's attempt",
      """
      UPDATE mien.webhook_message SET state = $1, next_ms = $2, answer = $3\(state.isOver ? ", body = NULL" : "")
      WHERE id = $4 AND state = 'sending' AND attempts = $5
      """, [state, time, answer, id, attempt]) > 0
  }

  public func waitingMessages() async throws -> Int {
    try await read("Counting webhook messages") { db in
      try db.count("SELECT count(*) AS count FROM mien.webhook_message WHERE state IN ('pending', 'sending')")
    }
  }

  public func purgeMessages(overBefore time: UnixTime) async throws -> Int {
    try await change(
      "Deleting webhook messages",
      "DELETE FROM mien.webhook_message WHERE state IN ('delivered', 'failed') AND next_ms < $1", [time])
  }

  /// Condition on a webhook that it is active and receives the event of this parameter.
  static func receives(_ event: String) -> String {
    "disabled_ms IS NULL AND ' ' || events || ' ' LIKE '% ' || \(event) || ' %'"
  }

  /// Inserts the messages of a verdict in the verdict's own transaction.
  ///
  /// - Parameter webhooks: IDs separated by spaces.
  func announce(_ result: CheckResult, of check: CheckID, to webhooks: String?, into db: any SQLConnection) throws {
    guard let webhooks else { return }
    try insert(
      webhooks.split(separator: " ").map { text in
        guard let webhook = WebhookID(String(text)) else { throw SQLReadError() }
        return .telling(webhook, of: check, result)
      }, into: db)
  }

  private func insert(_ messages: [WebhookDelivery], into db: any SQLConnection) throws {
    try db.insert(
      "webhook_message",
      ["id", "endpoint", "check_id", "event", "created_ms", "attempts", "next_ms", "state", "answer", "body"],
      messages.map { message in
        [
          message.id, message.webhook, message.check, message.event, message.created, message.attempts, message.next,
          message.state, message.answer, message.body.map { keyring.close($0, .webhookBody, of: message.id.text) },
        ]
      })
  }

  // MARK: - Rows

  private static func endpoint(_ row: SQLRow) throws -> WebhookEndpoint {
    let events: String = try row["events"]
    return WebhookEndpoint(
      id: try row["id"], url: try row["url"],
      events: events.split(separator: " ").compactMap { WebhookEvent(rawValue: String($0)) },
      secret: try row["secret"],
      previous: try (row[optional: "previous_secret"] as [UInt8]?).map { secret in
        WebhookEndpoint.Previous(secret: secret, until: try row["previous_until_ms"])
      },
      signingKey: try row["signing_key"], publicKey: try row["public_key"], created: try row["created_ms"],
      disabled: try row[optional: "disabled_ms"])
  }

  private func message(_ row: SQLRow) throws -> WebhookDelivery {
    let id: WebhookDeliveryID = try row["id"]
    return WebhookDelivery(
      id: id, webhook: try row["endpoint"], check: try row[optional: "check_id"], event: try row["event"],
      created: try row["created_ms"], attempts: try row["attempts"], next: try row["next_ms"],
      state: try row["state"], answer: try row[optional: "answer"],
      body: try (row[optional: "body"] as [UInt8]?).map { try keyring.open($0, .webhookBody, of: id.text) })
  }
}
