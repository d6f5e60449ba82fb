internal import Foundation
internal import GRDB
public import MienService

extension SQLiteStore: APIKeyStore {
  public func hasNoKeys() async throws -> Bool {
    try await mapped("Counting API keys") {
      try await database.read { db in try Int.fetchOne(db, sql: "SELECT 1 FROM api_key LIMIT 1") == nil }
    }
  }

  public func addKey(_ digest: SecretDigest, at time: UnixTime) async throws {
    try await mapped("Keeping an API key") {
      try await database.write { db in
        try db.execute(
          sql: "INSERT INTO api_key (digest, created_ms) VALUES (?, ?)",
          arguments: [Data(digest.bytes), time.milliseconds])
      }
    }
  }

  public func hasKey(_ digest: SecretDigest) async throws -> Bool {
    try await mapped("Looking up an API key") {
      try await database.read { db in
        try Int.fetchOne(db, sql: "SELECT 1 FROM api_key WHERE digest = ?", arguments: [Data(digest.bytes)]) != nil
      }
    }
  }
}
