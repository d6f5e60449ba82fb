internal import Foundation
internal import GRDB
public import MienService

extension SQLiteStore: EncryptedSecretStore {
  public func save(_ secret: EncryptedSecret) async throws {
    try await mapped("Keeping a sealed secret") {
      try await database.write { db in
        try db.execute(
          sql: "INSERT INTO sealed_secret (kind, name, sealed, created_ms) VALUES (?, ?, ?, ?)",
          arguments: [secret.kind.rawValue, secret.name, Data(secret.sealed), secret.created.milliseconds])
      }
    }
  }

  public func secret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> EncryptedSecret? {
    try await mapped("Reading a sealed secret") {
      try await database.read { db in
        try Row.fetchOne(
          db, sql: "SELECT * FROM sealed_secret WHERE kind = ? AND name = ?", arguments: [kind.rawValue, name]
        ).map { Self.secret($0, kind) }
      }
    }
  }

  public func secrets(_ kind: EncryptedSecret.Kind) async throws -> [EncryptedSecret] {
    try await mapped("Reading sealed secrets") {
      try await database.read { db in
        try Row.fetchAll(
          db, sql: "SELECT * FROM sealed_secret WHERE kind = ? ORDER BY created_ms, name", arguments: [kind.rawValue]
        ).map { Self.secret($0, kind) }
      }
    }
  }

  public func removeSecret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> Bool {
    try await mapped("Removing a sealed secret") {
      try await database.write { db in
        try db.execute(
          sql: "DELETE FROM sealed_secret WHERE kind = ? AND name = ?", arguments: [kind.rawValue, name])
        return db.changesCount > 0
      }
    }
  }

  private static func secret(_ row: Row, _ kind: EncryptedSecret.Kind) -> EncryptedSecret {
    EncryptedSecret(
      kind: kind, name: row["name"], sealed: Array(row["sealed"] as Data),
      created: UnixTime(milliseconds: row["created_ms"]))
  }
}
