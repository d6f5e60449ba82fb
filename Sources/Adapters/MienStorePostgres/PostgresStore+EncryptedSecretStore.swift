public import MienService

extension PostgresStore: EncryptedSecretStore {
  public func save(_ secret: EncryptedSecret) async throws {
    try await mapped("Keeping a sealed secret") {
      try await pool.write { db in
        try db.change(
          "INSERT INTO mien.sealed_secret (kind, name, sealed, created_ms) VALUES ($1, $2, $3, $4)",
          [secret.kind.rawValue, secret.name, secret.sealed, secret.created.milliseconds])
      }
    }
  }

  public func secret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> EncryptedSecret? {
    try await mapped("Reading a sealed secret") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.sealed_secret WHERE kind = $1 AND name = $2", [kind.rawValue, name]).first
          .map { try Self.secret($0, kind) }
      }
    }
  }

  public func secrets(_ kind: EncryptedSecret.Kind) async throws -> [EncryptedSecret] {
    try await mapped("Reading sealed secrets") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.sealed_secret WHERE kind = $1 ORDER BY created_ms, name", [kind.rawValue])
          .map { try Self.secret($0, kind) }
      }
    }
  }

  public func removeSecret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> Bool {
    try await mapped("Removing a sealed secret") {
      try await pool.write { db in
        try db.change("DELETE FROM mien.sealed_secret WHERE kind = $1 AND name = $2", [kind.rawValue, name]) > 0
      }
    }
  }

  private static func secret(_ row: PostgresRow, _ kind: EncryptedSecret.Kind) throws -> EncryptedSecret {
    EncryptedSecret(
      kind: kind, name: try row["name"], sealed: try row["sealed"],
      created: UnixTime(milliseconds: try row["created_ms"]))
  }
}
