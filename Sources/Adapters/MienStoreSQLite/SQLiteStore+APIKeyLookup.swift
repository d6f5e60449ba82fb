internal import Foundation
internal import GRDB
public import MienService

extension SQLiteStore: APIKeyLookup {
  public func add(_ key: APIKeyRecord) async throws {
    try await mapped("Keeping an API key") {
      try await database.write { db in
        try db.execute(
          sql: """
            INSERT INTO api_key (digest, created_ms, name, scopes, expires_ms, revoked_ms, last_used_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            Data(key.digest.bytes), key.created.milliseconds, key.name, key.scopes.map(Self.text),
            key.expires?.milliseconds, key.revoked?.milliseconds, key.lastUsed?.milliseconds,
          ])
      }
    }
  }

  public func key(_ digest: SecretDigest) async throws -> APIKeyRecord? {
    try await mapped("Looking up an API key") {
      try await database.read { db in
        try Row.fetchOne(db, sql: "SELECT * FROM api_key WHERE digest = ?", arguments: [Data(digest.bytes)])
          .map(Self.key)
      }
    }
  }

  public func keys() async throws -> [APIKeyRecord] {
    try await mapped("Listing API keys") {
      try await database.read { db in
        try Row.fetchAll(db, sql: "SELECT * FROM api_key ORDER BY created_ms, digest").map(Self.key)
      }
    }
  }

  public func expire(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool {
    try await mapped("Ending an API key") {
      try await database.write { db in
        try db.execute(
          sql: "UPDATE api_key SET expires_ms = min(coalesce(expires_ms, ?1), ?1) WHERE digest = ?2",
          arguments: [time.milliseconds, Data(digest.bytes)])
        return db.changesCount > 0
      }
    }
  }

  public func revoke(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool {
    try await mapped("Revoking an API key") {
      try await database.write { db in
        try db.execute(
          sql: "UPDATE api_key SET revoked_ms = ? WHERE digest = ? AND revoked_ms IS NULL",
          arguments: [time.milliseconds, Data(digest.bytes)])
        return db.changesCount > 0
      }
    }
  }

  public func used(_ times: [SecretDigest: UnixTime]) async throws {
    try await mapped("Noting the use of API keys") {
      try await database.write { db in
        for (digest, time) in times {
          try db.execute(
            sql: "UPDATE api_key SET last_used_ms = max(coalesce(last_used_ms, ?1), ?1) WHERE digest = ?2",
            arguments: [time.milliseconds, Data(digest.bytes)])
        }
      }
    }
  }

  private static func text(_ scopes: Set<APIKeyScope>) -> String {
    scopes.map(\.rawValue).sorted().joined(separator: " ")
  }

  private static func key(_ row: Row) throws -> APIKeyRecord {
    guard let digest = SecretDigest(bytes: Array(row["digest"] as Data)) else { throw damaged("an API key") }
    func time(_ column: String) -> UnixTime? { (row[column] as Int64?).map { UnixTime(milliseconds: $0) } }
    return APIKeyRecord(
      digest: digest, name: row["name"],
      // A scope unknown to this version grants nothing.
      scopes: (row["scopes"] as String?).map {
        Set($0.split(separator: " ").compactMap { APIKeyScope(rawValue: String($0)) })
      },
      created: UnixTime(milliseconds: row["created_ms"]), expires: time("expires_ms"), revoked: time("revoked_ms"),
      lastUsed: time("last_used_ms"))
  }
}
