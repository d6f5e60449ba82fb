internal import Foundation
internal import GRDB
public import MienCore
public import MienService

/// Devices that sign captures, and challenges for their attestation.
extension SQLiteStore {
  public func save(_ device: CaptureDevice) async throws {
    try await mapped("Keeping a device") {
      try await group.write { db in
        let attested = device.attested
        try db.execute(
          sql: """
            INSERT INTO capture_device (
              id, public_key, counter, created_ms, attested_id, attested_key, attested_counter, attested_environment,
              attested_ms
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            device.id.text, Data(device.key.bytes), device.counter, device.created.milliseconds,
            attested.map { Data($0.id.bytes) }, attested.map { Data($0.key.bytes) }, attested?.counter,
            attested?.environment.rawValue, attested?.attested.milliseconds,
          ])
      }
    }
  }

  public func device(_ id: DeviceID) async throws -> CaptureDevice? {
    try await mapped("Reading a device") {
      try await database.read { db in try Self.device(id, in: db) }
    }
  }

  public func deleteDevice(_ id: DeviceID) async throws -> Bool {
    try await mapped("Erasing a device") {
      try await database.write { db in
        try db.execute(sql: "DELETE FROM capture_device WHERE id = ?", arguments: [id.text])
        return db.changesCount > 0
      }
    }
  }

  public func attest(_ id: DeviceID, key: DeviceKey, _ attested: AttestedKey) async throws -> CaptureDevice? {
    try await mapped("Keeping an attested key") {
      try await database.write { db in
        try db.execute(
          sql: """
            UPDATE capture_device SET
              attested_counter = CASE WHEN attested_id = ?1 THEN max(attested_counter, ?3) ELSE ?3 END,
              attested_id = ?1, attested_key = ?2, attested_environment = ?4, attested_ms = ?5
            WHERE id = ?6 AND public_key = ?7
            """,
          arguments: [
            Data(attested.id.bytes), Data(attested.key.bytes), attested.counter, attested.environment.rawValue,
            attested.attested.milliseconds, id.text, Data(key.bytes),
          ])
        return db.changesCount > 0 ? try Self.device(id, in: db) : nil
      }
    }
  }

  public func saveChallenge(_ digest: SecretDigest, until expires: UnixTime, at now: UnixTime) async throws {
    try await mapped("Keeping a challenge") {
      try await group.write { db in
        try db.execute(sql: "DELETE FROM device_challenge WHERE expires_ms <= ?", arguments: [now.milliseconds])
        try db.execute(
          sql: "INSERT INTO device_challenge (digest, expires_ms) VALUES (?, ?)",
          arguments: [Data(digest.bytes), expires.milliseconds])
      }
    }
  }

  public func takeChallenge(_ digest: SecretDigest, at now: UnixTime) async throws -> Bool {
    try await mapped("Taking a challenge") {
      try await database.write { db in
        try Int64.fetchOne(
          db, sql: "DELETE FROM device_challenge WHERE digest = ? RETURNING expires_ms",
          arguments: [Data(digest.bytes)]
        ).map { $0 > now.milliseconds } == true
      }
    }
  }

  private static func device(_ id: DeviceID, in db: Database) throws -> CaptureDevice? {
    let row = try Row.fetchOne(db, sql: "SELECT * FROM capture_device WHERE id = ?", arguments: [id.text])
    guard let row else { return nil }
    guard let key = DeviceKey(bytes: Array(row["public_key"] as Data)) else { throw damaged("a device") }
    return CaptureDevice(
      id: id, key: key, counter: row["counter"], created: UnixTime(milliseconds: row["created_ms"]),
      attested: try attested(row))
  }

  private static func attested(_ row: Row) throws -> AttestedKey? {
    guard let id = row["attested_id"] as Data? else { return nil }
    guard let id = ContentDigest(bytes: Array(id)), let key = DeviceKey(bytes: Array(row["attested_key"] as Data)),
      let environment = AttestedKey.Environment(rawValue: row["attested_environment"])
    else { throw damaged("an attested key") }
    return AttestedKey(
      id: id, key: key, counter: row["attested_counter"], environment: environment,
      attested: UnixTime(milliseconds: row["attested_ms"]))
  }
}
