internal import MienCore
internal import MienChecks

/// Sessions of the compatible APIs: table `compatibility_session`.
extension SQLStore {
  public func create(_ check: CheckRecord, _ session: CompatibilitySession) async throws -> (
    CheckID, CompatibilitySession
  )? {
    try await transaction("Storing a session") { db in
      if let token = session.requestToken {
        // Of two requests with one token, on any servers, the second finds the session of the first.
        try db.lock("mien session", "\(session.api.rawValue)/\(session.owner)/\(token)")
        if let row = try Self.row(of: session, with: token, in: db) {
          let id: CheckID = try row["check_id"]
          if try row["expires_ms"] > check.created { return (id, try Self.session(row)) }
          // The token can be reused after its session has expired.
          try db.execute("UPDATE mien.compatibility_session SET request_token = NULL WHERE check_id = $1", [id])
        }
      }
      try insert(check, into: db)
      try db.insert(
        "compatibility_session", ["check_id", "api", "owner", "request_token", "parameters", "audit_images"],
        [check.id, session.api, session.owner, session.requestToken, session.parameters, session.auditImages])
      return nil
    }
  }

  public func compatibilitySession(of id: CheckID) async throws -> CompatibilitySession? {
    try await read("Reading a session") { db in
      try db.first("SELECT * FROM mien.compatibility_session WHERE check_id = $1", [id]).map(Self.session)
    }
  }

  private static func row(
    of session: CompatibilitySession, with token: String, in db: any SQLConnection
  ) throws -> SQLRow? {
    try db.first(
      """
      SELECT s.*, c.expires_ms FROM mien.compatibility_session s JOIN mien.liveness_check c ON c.id = s.check_id
      WHERE api = $1 AND owner = $2 AND request_token = $3
      """, [session.api, session.owner, token])
  }

  private static func session(_ row: SQLRow) throws -> CompatibilitySession {
    CompatibilitySession(
      api: try row["api"], owner: try row["owner"], requestToken: try row[optional: "request_token"],
      parameters: try row["parameters"], auditImages: try row["audit_images"])
  }
}
