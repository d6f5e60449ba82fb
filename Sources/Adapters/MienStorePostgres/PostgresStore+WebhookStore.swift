internal import MienCore
public import MienService

extension PostgresStore: WebhookStore {
  public func add(_ endpoint: WebhookEndpoint, atMost limit: Int) async throws -> Bool {
    try await mapped("Keeping a webhook") {
      try await pool.transaction { db in
        // Without the lock, two concurrent registrations could both pass the limit.
        try db.advisoryLock("mien webhooks", "")
        let count: Int = try db.rows("SELECT count(*) AS count FROM mien.webhook_endpoint")[0]["count"]
        if count >= limit { return false }
        try db.send(
          """
          INSERT INTO mien.webhook_endpoint
            (id, url, events, secret, previous_secret, previous_until_ms, signing_key, public_key, created_ms,
            disabled_ms)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
          """,
          [
            endpoint.id.text, endpoint.url, try Self.json(endpoint.events.map(\.rawValue)), endpoint.secret,
            endpoint.previous?.secret, endpoint.previous?.until.milliseconds, endpoint.signingKey, endpoint.publicKey,
            endpoint.created.milliseconds, endpoint.disabled?.milliseconds,
          ])
        return true
      }
    }
  }

  public func webhooks() async throws -> [WebhookEndpoint] {
    try await mapped("Reading webhooks") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.webhook_endpoint ORDER BY created_ms, id").map { try Self.endpoint($0) }
      }
    }
  }

  public func webhook(_ id: WebhookID) async throws -> WebhookEndpoint? {
    try await mapped("Reading a webhook") {
      try await pool.read { db in try Self.endpoint(id.text, in: &db) }
    }
  }

  public func removeWebhook(_ id: WebhookID) async throws -> Bool {
    try await mapped("Removing a webhook") {
      try await pool.write { db in try db.change("DELETE FROM mien.webhook_endpoint WHERE id = $1", [id.text]) > 0 }
    }
  }

  public func rotate(_ id: WebhookID, to secret: [UInt8], keepingOldUntil until: UnixTime) async throws -> Bool {
    try await mapped("Keeping a webhook's secret") {
      try await pool.write { db in
        try db.change(
          """
          UPDATE mien.webhook_endpoint SET previous_secret = secret, previous_until_ms = $1, secret = $2 WHERE id = $3
          """, [until.milliseconds, secret, id.text]) > 0
      }
    }
  }

  public func disable(_ id: WebhookID, at time: UnixTime, answer: String) async throws {
    try await mapped("Disabling a webhook") {
      try await pool.transaction { db in
        try db.send(
          "UPDATE mien.webhook_endpoint SET disabled_ms = $1 WHERE id = $2 AND disabled_ms IS NULL",
          [time.milliseconds, id.text])
        try db.send(
          """
          UPDATE mien.webhook_message SET state = 'given-up', next_ms = $1, answer = $2, body = NULL
          WHERE endpoint = $3 AND state IN ('pending', 'sending')
          """, [time.milliseconds, answer, id.text])
      }
    }
  }

  public func post(_ message: WebhookDelivery) async throws {
    try await mapped("Keeping a message") {
      try await pool.write { db in try insert([message], into: &db) }
    }
  }

  public func messages(of id: WebhookID, limit: Int) async throws -> [WebhookDelivery] {
    try await mapped("Reading messages") {
      try await pool.read { db in
        try db.rows(
          "SELECT * FROM mien.webhook_message WHERE endpoint = $1 ORDER BY created_ms DESC, id LIMIT $2",
          [id.text, limit]
        ).map { try message($0) }
      }
    }
  }

  public func takeMessages(dueAt now: UnixTime, until: UnixTime, limit: Int) async throws -> [ClaimedWebhookDelivery] {
    try await mapped("Taking messages") {
      // Usually nothing is due, so read before starting a transaction.
      guard try await pool.read({ db in try !db.rows(Self.due, [now.milliseconds, 1]).isEmpty }) else { return [] }
      return try await pool.transaction { db in
        // Webhooks locked by another server are skipped: no server waits, and nothing is sent twice.
        let due = try db.rows(Self.due + " FOR NO KEY UPDATE OF e SKIP LOCKED", [now.milliseconds, limit])
        var deliveries: [ClaimedWebhookDelivery] = []
        for row in due {
          let endpoint = try Self.endpoint(row)
          // The message was found before the webhook was locked, so look again.
          let taken = try db.rows(
            """
            UPDATE mien.webhook_message SET state = 'sending', attempts = attempts + 1, next_ms = $1
            WHERE id = (
              SELECT id FROM mien.webhook_message WHERE endpoint = $2 AND state IN ('pending', 'sending')
                AND next_ms <= $3 ORDER BY next_ms LIMIT 1
            ) AND NOT EXISTS (
              SELECT 1 FROM mien.webhook_message WHERE endpoint = $2 AND state = 'sending' AND next_ms > $3
            )
            RETURNING *
            """, [until.milliseconds, endpoint.id.text, now.milliseconds])
          for message in taken {
            deliveries.append(ClaimedWebhookDelivery(message: try self.message(message), endpoint: endpoint))
          }
        }
        return deliveries
      }
    }
  }

  public func save(body: [UInt8], of id: WebhookDeliveryID) async throws -> [UInt8]? {
    try await mapped("Keeping a message's body") {
      try await pool.write { db in
        try db.rows(
          """
          UPDATE mien.webhook_message SET body = coalesce(body, $1)
          WHERE id = $2 AND state IN ('pending', 'sending') RETURNING body
          """, [keyring.close(body, .webhookBody, of: id.text), id.text]
        ).first.map { try keyring.open(try $0["body"], .webhookBody, of: id.text) }
      }
    }
  }

  public func complete(
    _ id: WebhookDeliveryID, after attempt: Int, as state: WebhookDelivery.State, at time: UnixTime, answer: String
  ) async throws -> Bool {
    try await mapped("Keeping a message's attempt") {
      try await pool.write { db in
        try db.change(
          """
          UPDATE mien.webhook_message SET state = $1, next_ms = $2, answer = $3,
            body = CASE WHEN $4::bigint = 1 THEN NULL ELSE body END
          WHERE id = $5 AND state = 'sending' AND attempts = $6
          """, [state.rawValue, time.milliseconds, answer, state.isOver, id.text, attempt]) > 0
      }
    }
  }

  public func waitingMessages() async throws -> Int {
    try await mapped("Counting messages") {
      try await pool.read { db in
        try db.rows("SELECT count(*) AS count FROM mien.webhook_message WHERE state IN ('pending', 'sending')")[0][
          "count"]
      }
    }
  }

  public func purgeMessages(overBefore time: UnixTime) async throws -> Int {
    try await mapped("Forgetting messages") {
      try await pool.write { db in
        try db.change(
          "DELETE FROM mien.webhook_message WHERE state IN ('delivered', 'given-up') AND next_ms < $1",
          [time.milliseconds])
      }
    }
  }

  /// Inserts the messages of a verdict in the verdict's own transaction.
  ///
  /// - Parameter webhooks: IDs separated by spaces.
  func announce(
    _ result: CheckResult, of check: CheckID, to webhooks: String?, into db: inout PostgresConnection
  ) throws {
    guard let webhooks else { return }
    try insert(
      webhooks.split(separator: " ").map { text in
        guard let webhook = WebhookID(String(text)) else { throw Self.damaged("a webhook") }
        return .telling(webhook, of: check, result)
      }, into: &db)
  }

  /// Webhooks without a message in delivery and with a due message, longest waiting first.
  private static let due = """
    SELECT e.* FROM mien.webhook_endpoint e CROSS JOIN LATERAL (
      SELECT next_ms FROM mien.webhook_message WHERE endpoint = e.id AND state IN ('pending', 'sending')
        AND next_ms <= $1 ORDER BY next_ms LIMIT 1
    ) AS first
    WHERE NOT EXISTS (
      SELECT 1 FROM mien.webhook_message WHERE endpoint = e.id AND state = 'sending' AND next_ms > $1
    )
    ORDER BY first.next_ms LIMIT $2
    """

  private func insert(_ messages: [WebhookDelivery], into db: inout PostgresConnection) throws {
    try db.insert(
      "webhook_message",
      ["id", "endpoint", "check_id", "event", "created_ms", "attempts", "next_ms", "state", "answer", "body"],
      messages.map { message in
        [
          message.id.text, message.webhook.text, message.check?.text, message.event.rawValue,
          message.created.milliseconds, message.attempts, message.next.milliseconds, message.state.rawValue,
          message.answer, message.body.map { keyring.close($0, .webhookBody, of: message.id.text) },
        ]
      })
  }

  private static func endpoint(_ id: String, in db: inout PostgresConnection) throws -> WebhookEndpoint? {
    try db.rows("SELECT * FROM mien.webhook_endpoint WHERE id = $1", [id]).first.map { try endpoint($0) }
  }

  private static func endpoint(_ row: PostgresRow) throws -> WebhookEndpoint {
    let names: [String] = try value(try row["events"], "a webhook")
    guard let id = WebhookID(try row["id"]) else { throw damaged("a webhook") }
    let previous = try (row[maybe: "previous_secret"] as [UInt8]?).map { secret in
      WebhookEndpoint.Previous(secret: secret, until: UnixTime(milliseconds: try row["previous_until_ms"]))
    }
    return WebhookEndpoint(
      id: id, url: try row["url"], events: names.compactMap(WebhookEvent.init(rawValue:)),
      secret: try row["secret"], previous: previous, signingKey: try row["signing_key"],
      publicKey: try row["public_key"], created: UnixTime(milliseconds: try row["created_ms"]),
      disabled: (try row[maybe: "disabled_ms"] as Int64?).map { UnixTime(milliseconds: $0) })
  }

  private func message(_ row: PostgresRow) throws -> WebhookDelivery {
    guard let id = WebhookDeliveryID(try row["id"]), let webhook = WebhookID(try row["endpoint"]),
      let event = WebhookEvent(rawValue: try row["event"]),
      let state = WebhookDelivery.State(rawValue: try row["state"])
    else { throw Self.damaged("a message") }
    return WebhookDelivery(
      id: id, webhook: webhook, check: (try row[maybe: "check_id"] as String?).flatMap { CheckID($0) }, event: event,
      created: UnixTime(milliseconds: try row["created_ms"]), attempts: try row["attempts"],
      next: UnixTime(milliseconds: try row["next_ms"]), state: state, answer: try row[maybe: "answer"],
      body: try (row[maybe: "body"] as [UInt8]?).map { try keyring.open($0, .webhookBody, of: id.text) })
  }
}
