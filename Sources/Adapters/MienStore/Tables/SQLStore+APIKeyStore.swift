internal import MienPlatform
internal import MienAccess

/// API keys: table `api_key`.
extension SQLStore {
  // MARK: - APIKeyStore

  public func hasNoKeys() async throws -> Bool {
    try await read("Counting API keys") { db in try !db.exists("SELECT 1 AS one FROM mien.api_key LIMIT 1") }
  }

  public func addKey(_ digest: SecretDigest, at time: UnixTime) async throws {
    try await write("Storing an API key") { db in
      try db.insert("api_key", ["digest", "created_ms"], [digest, time])
    }
  }

  public func hasKey(_ digest: SecretDigest) async throws -> Bool {
    try await read("Looking up an API key") { db in
      try db.exists("SELECT 1 AS one FROM mien.api_key WHERE digest = $1", [digest])
    }
  }

  // MARK: - APIKeyLookup

  public func add(_ key: APIKeyRecord) async throws {
    let scopes = key.scopes.map { $0.map(\.rawValue).sorted().joined(separator: " ") }
    try await write("Storing an API key") { db in
      try db.insert(
        "api_key", ["digest", "created_ms", "name", "scopes", "expires_ms", "revoked_ms", "last_used_ms"],
        [key.digest, key.created, key.name, scopes, key.expires, key.revoked, key.lastUsed])
    }
  }

  public func key(_ digest: SecretDigest) async throws -> APIKeyRecord? {
    try await read("Looking up an API key") { db in
      try db.first("SELECT * FROM mien.api_key WHERE digest = $1", [digest]).map(Self.key)
    }
  }

  public func keys() async throws -> [APIKeyRecord] {
    try await read("Listing API keys") { db in
      try db.rows("SELECT * FROM mien.api_key ORDER BY created_ms, digest").map(Self.key)
    }
  }

  public func expire(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool {
    try await change(
      "Ending an API key",
      "UPDATE mien.api_key SET expires_ms = CASE WHEN expires_ms < $1 THEN expires_ms ELSE $1 END WHERE digest = $2",
      [time, digest]) > 0
  }

  public func revoke(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool {
    try await change(
      "Revoking an API key", "UPDATE mien.api_key SET revoked_ms = $1 WHERE digest = $2 AND revoked_ms IS NULL",
      [time, digest]) > 0
  }

  public func used(_ times: [SecretDigest: UnixTime]) async throws {
    try await transaction("Recording the use of API keys") { db in
      // The same order on every server prevents deadlocks.
      for (digest, time) in times.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
        try db.execute(
          """
          UPDATE mien.api_key SET last_used_ms = CASE WHEN last_used_ms > $1 THEN last_used_ms ELSE $1 END
          WHERE digest = $2
          """, [time, digest])
      }
    }
  }

  private static func key(_ row: SQLRow) throws -> APIKeyRecord {
    APIKeyRecord(
      digest: try row["digest"], name: try row[optional: "name"],
      // A scope unknown to this version grants nothing.
      scopes: (try row[optional: "scopes"] as String?).map {
        Set($0.split(separator: " ").compactMap { APIKeyScope(rawValue: String($0)) })
      },
      created: try row["created_ms"], expires: try row[optional: "expires_ms"],
      revoked: try row[optional: "revoked_ms"], lastUsed: try row[optional: "last_used_ms"])
  }
}
