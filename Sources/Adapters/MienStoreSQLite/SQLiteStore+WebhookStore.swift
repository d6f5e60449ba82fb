internal import Foundation
internal import GRDB
internal import MienCore
public import MienService

extension SQLiteStore: WebhookStore {
  public func add(_ endpoint: WebhookEndpoint, atMost limit: Int) async throws -> Bool {
    try await mapped("Keeping a webhook") {
      try await database.write { db in
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM webhook_endpoint")
        if let count, count >= limit { return false }
        try db.execute(
          sql: """
            INSERT INTO webhook_endpoint
              (id, url, events, secret, previous_secret, previous_until_ms, signing_key, public_key, created_ms,
              disabled_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            endpoint.id.text, endpoint.url,
            String(decoding: try JSONEncoder().encode(endpoint.events.map(\.rawValue)), as: UTF8.self),
            Data(endpoint.secret), endpoint.previous.map { Data($0.secret) }, endpoint.previous?.until.milliseconds,
            Data(endpoint.signingKey), Data(endpoint.publicKey), endpoint.created.milliseconds,
            endpoint.disabled?.milliseconds,
          ])
        return true
      }
    }
  }

  public func webhooks() async throws -> [WebhookEndpoint] {
    try await mapped("Reading webhooks") {
      try await database.read { db in
        try Row.fetchAll(db, sql: "SELECT * FROM webhook_endpoint ORDER BY created_ms, id").map(Self.endpoint)
      }
    }
  }

  public func webhook(_ id: WebhookID) async throws -> WebhookEndpoint? {
    try await mapped("Reading a webhook") {
      try await database.read { db in try Self.endpoint(id.text, in: db) }
    }
  }

  public func removeWebhook(_ id: WebhookID) async throws -> Bool {
    let removed = try await mapped("Removing a webhook") {
      try await database.write { db in
        try db.execute(sql: "DELETE FROM webhook_endpoint WHERE id = ?", arguments: [id.text])
        return db.changesCount > 0
      }
    }
    if removed { try await shrinkLog() }
    return removed
  }

  public func rotate(_ id: WebhookID, to secret: [UInt8], keepingOldUntil until: UnixTime) async throws -> Bool {
    try await mapped("Keeping a webhook's secret") {
      try await database.write { db in
        try db.execute(
          sql: """
            UPDATE webhook_endpoint SET previous_secret = secret, previous_until_ms = ?, secret = ? WHERE id = ?
            """,
          arguments: [until.milliseconds, Data(secret), id.text])
        return db.changesCount > 0
      }
    }
  }

  public func disable(_ id: WebhookID, at time: UnixTime, answer: String) async throws {
    try await mapped("Disabling a webhook") {
      try await database.write { db in
        try db.execute(
          sql: "UPDATE webhook_endpoint SET disabled_ms = ? WHERE id = ? AND disabled_ms IS NULL",
          arguments: [time.milliseconds, id.text])
        try db.execute(
          sql: """
            UPDATE webhook_message SET state = 'given-up', next_ms = ?, answer = ?, body = NULL
            WHERE endpoint = ? AND state IN ('pending', 'sending')
            """,
          arguments: [time.milliseconds, answer, id.text])
      }
    }
  }

  public func post(_ message: WebhookDelivery) async throws {
    try await mapped("Keeping a message") {
      try await database.write { db in try insert(message, into: db) }
    }
  }

  public func messages(of id: WebhookID, limit: Int) async throws -> [WebhookDelivery] {
    try await mapped("Reading messages") {
      try await database.read { db in
        try Row.fetchAll(
          db, sql: "SELECT * FROM webhook_message WHERE endpoint = ? ORDER BY created_ms DESC, id LIMIT ?",
          arguments: [id.text, limit]
        ).map { try message($0) }
      }
    }
  }

  public func takeMessages(dueAt now: UnixTime, until: UnixTime, limit: Int) async throws -> [ClaimedWebhookDelivery] {
    try await mapped("Taking messages") {
      // Usually nothing is due, so read before waiting for the writer.
      let waiting = try await database.read { db in try Self.due(at: now, limit: limit, in: db) }
      guard !waiting.isEmpty else { return [] }
      return try await database.write { db in
        var deliveries: [ClaimedWebhookDelivery] = []
        // Another process may have claimed them since.
        for id in try Self.due(at: now, limit: limit, in: db) {
          let row = try Row.fetchAll(
            db,
            sql: """
              UPDATE webhook_message SET state = 'sending', attempts = attempts + 1, next_ms = ? WHERE id = ?
              RETURNING *
              """,
            arguments: [until.milliseconds, id]
          ).first
          guard let message = try row.map({ try self.message($0) }),
            let endpoint = try Self.endpoint(message.webhook.text, in: db)
          else { continue }
          deliveries.append(ClaimedWebhookDelivery(message: message, endpoint: endpoint))
        }
        return deliveries
      }
    }
  }

  public func save(body: [UInt8], of id: WebhookDeliveryID) async throws -> [UInt8]? {
    try await mapped("Keeping a message's body") {
      try await database.write { db in
        let kept = try Data.fetchOne(
          db, sql: "SELECT body FROM webhook_message WHERE id = ? AND body IS NOT NULL", arguments: [id.text])
        if let kept { return try keyring.open(Array(kept), .webhookBody, of: id.text) }
        try db.execute(
          sql: "UPDATE webhook_message SET body = ? WHERE id = ? AND state IN ('pending', 'sending')",
          arguments: [Data(keyring.close(body, .webhookBody, of: id.text)), id.text])
        return db.changesCount > 0 ? body : nil
      }
    }
  }

  public func complete(
    _ id: WebhookDeliveryID, after attempt: Int, as state: WebhookDelivery.State, at time: UnixTime, answer: String
  ) async throws -> Bool {
    try await mapped("Keeping what became of a message") {
      try await database.write { db in
        try db.execute(
          sql: """
            UPDATE webhook_message SET state = ?, next_ms = ?, answer = ?, body = CASE WHEN ? THEN NULL ELSE body END
            WHERE id = ? AND state = 'sending' AND attempts = ?
            """,
          arguments: [state.rawValue, time.milliseconds, answer, state.isOver, id.text, attempt])
        return db.changesCount > 0
      }
    }
  }

  public func waitingMessages() async throws -> Int {
    try await mapped("Counting messages") {
      try await database.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM webhook_message WHERE state IN ('pending', 'sending')") ?? 0
      }
    }
  }

  public func purgeMessages(overBefore time: UnixTime) async throws -> Int {
    try await mapped("Forgetting messages") {
      let some = try await database.read { db in
        try Int.fetchOne(
          db, sql: "SELECT 1 FROM webhook_message WHERE state IN ('delivered', 'given-up') AND next_ms < ?",
          arguments: [time.milliseconds])
      }
      guard some != nil else { return 0 }
      return try await database.write { db in
        try db.execute(
          sql: "DELETE FROM webhook_message WHERE state IN ('delivered', 'given-up') AND next_ms < ?",
          arguments: [time.milliseconds])
        return db.changesCount
      }
    }
  }

  /// Inserts the messages of a verdict in the verdict's own transaction.
  func announce(_ result: CheckResult, of check: CheckID, into db: Database) throws {
    let webhooks = try String.fetchAll(
      db,
      sql: """
        SELECT webhook_endpoint.id FROM webhook_endpoint, json_each(webhook_endpoint.events)
        WHERE disabled_ms IS NULL AND json_each.value = ?
        """,
      arguments: [WebhookEvent(result.outcome).rawValue])
    for text in webhooks {
      guard let webhook = WebhookID(text) else { throw Self.damaged("a webhook") }
      try insert(.telling(webhook, of: check, result), into: db)
    }
  }

  /// Returns the IDs of the messages to claim: for each webhook without a message in delivery, the one that has been due the longest.
  private static func due(at now: UnixTime, limit: Int, in db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT webhook_message.id FROM (
          SELECT (
            SELECT id FROM webhook_message WHERE endpoint = webhook_endpoint.id AND state IN ('pending', 'sending')
              AND next_ms <= :now ORDER BY next_ms LIMIT 1
          ) AS id FROM webhook_endpoint
          WHERE NOT EXISTS (
            SELECT 1 FROM webhook_message WHERE endpoint = webhook_endpoint.id AND state = 'sending' AND next_ms > :now
          )
        ) AS first JOIN webhook_message ON webhook_message.id = first.id
        ORDER BY webhook_message.next_ms LIMIT :limit
        """, arguments: ["now": now.milliseconds, "limit": limit])
  }

  private func insert(_ message: WebhookDelivery, into db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO webhook_message (id, endpoint, check_id, event, created_ms, attempts, next_ms, state, answer, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        message.id.text, message.webhook.text, message.check?.text, message.event.rawValue,
        message.created.milliseconds, message.attempts, message.next.milliseconds, message.state.rawValue,
        message.answer, message.body.map { Data(keyring.close($0, .webhookBody, of: message.id.text)) },
      ])
  }

  private static func endpoint(_ id: String, in db: Database) throws -> WebhookEndpoint? {
    try Row.fetchOne(db, sql: "SELECT * FROM webhook_endpoint WHERE id = ?", arguments: [id]).map(endpoint)
  }

  private static func endpoint(_ row: Row) throws -> WebhookEndpoint {
    let names = try? JSONDecoder().decode([String].self, from: Data((row["events"] as String).utf8))
    guard let id = WebhookID(row["id"]), let names else { throw damaged("a webhook") }
    let previous = (row["previous_secret"] as Data?).map { secret in
      WebhookEndpoint.Previous(secret: Array(secret), until: UnixTime(milliseconds: row["previous_until_ms"]))
    }
    return WebhookEndpoint(
      id: id, url: row["url"], events: names.compactMap(WebhookEvent.init(rawValue:)),
      secret: Array(row["secret"] as Data), previous: previous, signingKey: Array(row["signing_key"] as Data),
      publicKey: Array(row["public_key"] as Data), created: UnixTime(milliseconds: row["created_ms"]),
      disabled: (row["disabled_ms"] as Int64?).map { UnixTime(milliseconds: $0) })
  }

  private func message(_ row: Row) throws -> WebhookDelivery {
    guard let id = WebhookDeliveryID(row["id"]), let webhook = WebhookID(row["endpoint"]),
      let event = WebhookEvent(rawValue: row["event"]), let state = WebhookDelivery.State(rawValue: row["state"])
    else { throw Self.damaged("a message") }
    return WebhookDelivery(
      id: id, webhook: webhook, check: (row["check_id"] as String?).flatMap { CheckID($0) }, event: event,
      created: UnixTime(milliseconds: row["created_ms"]), attempts: row["attempts"],
      next: UnixTime(milliseconds: row["next_ms"]), state: state, answer: row["answer"],
      body: try (row["body"] as Data?).map { try keyring.open(Array($0), .webhookBody, of: id.text) })
  }
}
