public import MienService

extension PostgresStore: APIKeyLookup {
  public func add(_ key: APIKeyRecord) async throws {
    try await mapped("Keeping an API key") {
      try await pool.write { db in
        try db.insert(
          "api_key", ["digest", "created_ms", "name", "scopes", "expires_ms", "revoked_ms", "last_used_ms"],
          [
            [
              key.digest.bytes, key.created.milliseconds, key.name, key.scopes.map(Self.text),
              key.expires?.milliseconds, key.revoked?.milliseconds, key.lastUsed?.milliseconds,
            ]
          ])
      }
    }
  }

  public func key(_ digest: SecretDigest) async throws -> APIKeyRecord? {
    try await mapped("Looking up an API key") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.api_key WHERE digest = $1", [digest.bytes]).first.map { try Self.key($0) }
      }
    }
  }

  public func keys() async throws -> [APIKeyRecord] {
    try await mapped("Listing API keys") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.api_key ORDER BY created_ms, digest").map { try Self.key($0) }
      }
    }
  }

  public func expire(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool {
    try await mapped("Ending an API key") {
      try await pool.write { db in
        try db.change(
          "UPDATE mien.api_key SET expires_ms = least(expires_ms, $1) WHERE digest = $2",
          [time.milliseconds, digest.bytes]) > 0
      }
    }
  }

  public func revoke(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool {
    try await mapped("Revoking an API key") {
      try await pool.write { db in
        try db.change(
          "UPDATE mien.api_key SET revoked_ms = $1 WHERE digest = $2 AND revoked_ms IS NULL",
          [time.milliseconds, digest.bytes]) > 0
      }
    }
  }

  public func used(_ times: [SecretDigest: UnixTime]) async throws {
    try await mapped("Noting the use of API keys") {
      try await pool.transaction { db in
        // The same order on every server prevents deadlocks.
        for (digest, time) in times.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
          try db.send(
            "UPDATE mien.api_key SET last_used_ms = greatest(last_used_ms, $1) WHERE digest = $2",
            [time.milliseconds, digest.bytes])
        }
      }
    }
  }

  private static func text(_ scopes: Set<APIKeyScope>) -> String {
    scopes.map(\.rawValue).sorted().joined(separator: " ")
  }

  private static func key(_ row: PostgresRow) throws -> APIKeyRecord {
    guard let digest = SecretDigest(bytes: try row["digest"]) else { throw damaged("an API key") }
    func time(_ column: String) throws -> UnixTime? {
      (try row[maybe: column] as Int64?).map { UnixTime(milliseconds: $0) }
    }
    return APIKeyRecord(
      digest: digest, name: try row[maybe: "name"],
      // A scope unknown to this version grants nothing.
      scopes: (try row[maybe: "scopes"] as String?).map {
        Set($0.split(separator: " ").compactMap { APIKeyScope(rawValue: String($0)) })
      },
      created: UnixTime(milliseconds: try row["created_ms"]), expires: try time("expires_ms"),
      revoked: try time("revoked_ms"), lastUsed: try time("last_used_ms"))
  }
}
