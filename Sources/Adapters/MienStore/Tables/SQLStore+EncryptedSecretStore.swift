internal import MienSecurity

/// Encrypted secrets of the server: table `encrypted_secret`.
extension SQLStore {
  public func save(_ secret: EncryptedSecret) async throws {
    try await write("Storing a secret") { db in
      try db.insert(
        "encrypted_secret", ["kind", "name", "sealed", "created_ms"],
        [secret.kind, secret.name, secret.sealed, secret.created])
    }
  }

  public func secret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> EncryptedSecret? {
    try await read("Reading a secret") { db in
      try db.first("SELECT * FROM mien.encrypted_secret WHERE kind = $1 AND name = $2", [kind, name]).map(Self.secret)
    }
  }

  public func secrets(_ kind: EncryptedSecret.Kind) async throws -> [EncryptedSecret] {
    try await read("Reading secrets") { db in
      try db.rows("SELECT * FROM mien.encrypted_secret WHERE kind = $1 ORDER BY created_ms, name", [kind])
        .map(Self.secret)
    }
  }

  public func removeSecret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> Bool {
    try await change(
      "Removing a secret", "DELETE FROM mien.encrypted_secret WHERE kind = $1 AND name = $2", [kind, name]) > 0
  }

  private static func secret(_ row: SQLRow) throws -> EncryptedSecret {
    EncryptedSecret(
      kind: try row["kind"], name: try row["name"], sealed: try row["sealed"], created: try row["created_ms"])
  }
}
