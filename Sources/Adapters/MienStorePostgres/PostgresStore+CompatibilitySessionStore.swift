public import MienCore
public import MienService

extension PostgresStore: CompatibilitySessionStore {
  public func create(_ check: CheckRecord, _ session: CompatibilitySession) async throws -> (
    CheckID, CompatibilitySession
  )? {
    try await mapped("Keeping a new session") {
      try await pool.transaction { db -> (CheckID, CompatibilitySession)? in
        if let token = session.requestToken {
          // Of two requests with one token, on any servers, the second finds the session of the first.
          try db.advisoryLock("mien session", "\(session.dialect.rawValue)/\(session.owner)/\(token)")
          if let earlier = try Self.session(by: session.owner, token, session, in: &db) {
            if earlier.expires > check.created { return (earlier.id, earlier.session) }
            // The token can be reused after its session has expired.
            try db.send(
              "UPDATE mien.dialect_session SET request_token = NULL WHERE check_id = $1", [earlier.id.text])
          }
        }
        try insert(check, into: &db)
        try db.send(
          """
          INSERT INTO mien.dialect_session (check_id, dialect, owner, request_token, parameters, audit_pictures)
          VALUES ($1, $2, $3, $4, $5, $6)
          """,
          [
            check.id.text, session.dialect.rawValue, session.owner, session.requestToken, session.parameters,
            session.auditImages,
          ])
        return nil
      }
    }
  }

  public func dialectSession(of id: CheckID) async throws -> CompatibilitySession? {
    try await mapped("Reading a session") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.dialect_session WHERE check_id = $1", [id.text]).first
          .map { try Self.session($0) }
      }
    }
  }

  private static func session(
    by owner: String, _ token: String, _ session: CompatibilitySession, in db: inout PostgresConnection
  ) throws -> (id: CheckID, session: CompatibilitySession, expires: UnixTime)? {
    let row = try db.rows(
      """
      SELECT s.*, c.expires_ms FROM mien.dialect_session s JOIN mien.liveness_check c ON c.id = s.check_id
      WHERE dialect = $1 AND owner = $2 AND request_token = $3
      """, [session.dialect.rawValue, owner, token]
    ).first
    guard let row else { return nil }
    guard let id = CheckID(try row["check_id"]) else { throw damaged("a session") }
    return (id, try Self.session(row), UnixTime(milliseconds: try row["expires_ms"]))
  }

  private static func session(_ row: PostgresRow) throws -> CompatibilitySession {
    guard let dialect = CompatibilitySession.CompatibleAPI(rawValue: try row["dialect"]) else {
      throw damaged("a session")
    }
    return CompatibilitySession(
      dialect: dialect, owner: try row["owner"], requestToken: try row[maybe: "request_token"],
      parameters: try row["parameters"], auditImages: try row["audit_pictures"])
  }
}
