internal import MienCore
internal import MienChecks

/// Sessions of the compatible APIs: table `dialect_session`.
extension SQLStore {
  public func create(_ check: CheckRecord, _ session: CompatibilitySession) async throws -> (
    CheckID, CompatibilitySession
  )? {
    try await transaction("Storing a session") { db in
      if let token = session.requestToken {
        // Of two requests with one token, on any servers, the second finds the session of the first.
        try db.lock("mien session", "\(session.dialect.rawValue)/\(session.owner)/\(token)")
        if let row = try Self.row(of: session, with: token, in: db) {
          let id: CheckID = try row["check_id"]
          if try row["expires_ms"] > check.created { return (id, try Self.session(row)) }
          // The token can be reused after its session has expired.
          try db.execute("UPDATE mien.dialect_session SET request_token = NULL WHERE check_id = $1", [id])
        }
      }
      try insert(check, into: db)
      try db.insert(
        "dialect_session", ["check_id", "dialect", "owner", "request_token", "parameters", "audit_pictures"],
        [check.id, session.dialect, session.owner, session.requestToken, session.parameters, session.auditImages])
      return nil
    }
  }

  public func dialectSession(of id: CheckID) async throws -> CompatibilitySession? {
    try await read("Reading a session") { db in
      try db.first("SELECT * FROM mien.dialect_session WHERE check_id = $1", [id]).map(Self.session)
    }
  }

  private static func row(
    of session: CompatibilitySession, with token: String, in db: any SQLConnection
  ) throws -> SQLRow? {
    try db.first(
      """
      SELECT s.*, c.expires_ms FROM mien.dialect_session s JOIN mien.liveness_check c ON c.id = s.check_id
      WHERE dialect = $1 AND owner = $2 AND request_token = $3
      """, [session.dialect, session.owner, token])
  }

  private static func session(_ row: SQLRow) throws -> CompatibilitySession {
    CompatibilitySession(
      dialect: try row["dialect"], owner: try row["owner"], requestToken: try row[optional: "request_token"],
      parameters: try row["parameters"], auditImages: try row["audit_pictures"])
  }
}
