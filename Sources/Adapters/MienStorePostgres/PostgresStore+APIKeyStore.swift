public import MienService

extension PostgresStore: APIKeyStore {
  public func hasNoKeys() async throws -> Bool {
    try await mapped("Counting API keys") {
      try await pool.read { db in try db.rows("SELECT 1::bigint AS one FROM mien.api_key LIMIT 1").isEmpty }
    }
  }

  public func addKey(_ digest: SecretDigest, at time: UnixTime) async throws {
    try await mapped("Keeping an API key") {
      try await pool.write { db in
        try db.change(
          "INSERT INTO mien.api_key (digest, created_ms) VALUES ($1, $2)", [digest.bytes, time.milliseconds])
      }
    }
  }

  public func hasKey(_ digest: SecretDigest) async throws -> Bool {
    try await mapped("Looking up an API key") {
      try await pool.read { db in
        try !db.rows("SELECT 1::bigint AS one FROM mien.api_key WHERE digest = $1", [digest.bytes]).isEmpty
      }
    }
  }
}
