internal import Foundation
internal import GRDB
public import MienCore
public import MienService

extension SQLiteStore: CompatibilitySessionStore {
  public func create(_ check: CheckRecord, _ session: CompatibilitySession) async throws -> (
    CheckID, CompatibilitySession
  )? {
    try await mapped("Keeping a new session") {
      try await database.write { db in
        if let token = session.requestToken, let earlier = try Self.session(by: session.owner, token, session, in: db) {
          if earlier.expires > check.created { return (earlier.id, earlier.session) }
          // The token can be reused after its session has expired.
          try db.execute(
            sql: "UPDATE dialect_session SET request_token = NULL WHERE check_id = ?", arguments: [earlier.id.text])
        }
        try insert(check, into: db)
        try db.execute(
          sql: """
            INSERT INTO dialect_session (check_id, dialect, owner, request_token, parameters, audit_pictures)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            check.id.text, session.dialect.rawValue, session.owner, session.requestToken, Data(session.parameters),
            session.auditImages,
          ])
        return nil
      }
    }
  }

  public func dialectSession(of id: CheckID) async throws -> CompatibilitySession? {
    try await mapped("Reading a session") {
      try await database.read { db in
        try Row.fetchOne(db, sql: "SELECT * FROM dialect_session WHERE check_id = ?", arguments: [id.text])
          .map(Self.session)
      }
    }
  }

  private static func session(by owner: String, _ token: String, _ session: CompatibilitySession, in db: Database)
    throws -> (
      id: CheckID, session: CompatibilitySession, expires: UnixTime
    )?
  {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT dialect_session.*, liveness_check.expires_ms FROM dialect_session
        JOIN liveness_check ON liveness_check.id = dialect_session.check_id
        WHERE dialect = ? AND owner = ? AND request_token = ?
        """,
      arguments: [session.dialect.rawValue, owner, token])
    guard let row else { return nil }
    guard let id = CheckID(row["check_id"]) else { throw damaged("a session") }
    return (id, try Self.session(row), UnixTime(milliseconds: row["expires_ms"]))
  }

  private static func session(_ row: Row) throws -> CompatibilitySession {
    guard let dialect = CompatibilitySession.CompatibleAPI(rawValue: row["dialect"]) else { throw damaged("a session") }
    return CompatibilitySession(
      dialect: dialect, owner: row["owner"], requestToken: row["request_token"],
      parameters: Array(row["parameters"] as Data), auditImages: row["audit_pictures"])
  }
}
