public import MienCore
public import MienService

/// Devices that sign captures, and challenges for their attestation.
extension PostgresStore {
  public func save(_ device: CaptureDevice) async throws {
    try await mapped("Keeping a device") {
      try await pool.write { db in
        let attested = device.attested
        try db.insert(
          "capture_device",
          [
            "id", "public_key", "counter", "created_ms", "attested_id", "attested_key", "attested_counter",
            "attested_environment", "attested_ms",
          ],
          [
            [
              device.id.text, device.key.bytes, device.counter, device.created.milliseconds, attested?.id.bytes,
              attested?.key.bytes, attested?.counter, attested?.environment.rawValue, attested?.attested.milliseconds,
            ]
          ])
      }
    }
  }

  public func device(_ id: DeviceID) async throws -> CaptureDevice? {
    try await mapped("Reading a device") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.capture_device WHERE id = $1", [id.text]).first.map { try Self.device($0, id) }
      }
    }
  }

  public func deleteDevice(_ id: DeviceID) async throws -> Bool {
    try await mapped("Erasing a device") {
      try await pool.write { db in try db.change("DELETE FROM mien.capture_device WHERE id = $1", [id.text]) > 0 }
    }
  }

  public func attest(_ id: DeviceID, key: DeviceKey, _ attested: AttestedKey) async throws -> CaptureDevice? {
    try await mapped("Keeping an attested key") {
      try await pool.write { db in
        try db.rows(
          """
          UPDATE mien.capture_device SET
            attested_counter = CASE WHEN attested_id = $1 THEN greatest(attested_counter, $3) ELSE $3 END,
            attested_id = $1, attested_key = $2, attested_environment = $4, attested_ms = $5
          WHERE id = $6 AND public_key = $7 RETURNING *
          """,
          [
            attested.id.bytes, attested.key.bytes, attested.counter, attested.environment.rawValue,
            attested.attested.milliseconds, id.text, key.bytes,
          ]
        ).first.map { try Self.device($0, id) }
      }
    }
  }

  public func saveChallenge(_ digest: SecretDigest, until expires: UnixTime, at now: UnixTime) async throws {
    try await mapped("Keeping a challenge") {
      try await pool.transaction { db in
        // Challenges locked by another server are being used or deleted there.
        try db.send(
          """
          DELETE FROM mien.device_challenge WHERE digest IN (
            SELECT digest FROM mien.device_challenge WHERE expires_ms <= $1 FOR UPDATE SKIP LOCKED
          )
          """, [now.milliseconds])
        try db.send(
          "INSERT INTO mien.device_challenge (digest, expires_ms) VALUES ($1, $2)",
          [digest.bytes, expires.milliseconds])
      }
    }
  }

  public func takeChallenge(_ digest: SecretDigest, at now: UnixTime) async throws -> Bool {
    try await mapped("Taking a challenge") {
      try await pool.write { db in
        let taken = try db.rows(
          "DELETE FROM mien.device_challenge WHERE digest = $1 RETURNING expires_ms", [digest.bytes]
        ).first
        return try taken.map { try $0["expires_ms"] > now.milliseconds } == true
      }
    }
  }

  private static func device(_ row: PostgresRow, _ id: DeviceID) throws -> CaptureDevice {
    guard let key = DeviceKey(bytes: try row["public_key"]) else { throw damaged("a device") }
    return CaptureDevice(
      id: id, key: key, counter: try row["counter"], created: UnixTime(milliseconds: try row["created_ms"]),
      attested: try attested(row))
  }

  private static func attested(_ row: PostgresRow) throws -> AttestedKey? {
    guard let id = try row[maybe: "attested_id"] as [UInt8]? else { return nil }
    guard let id = ContentDigest(bytes: id), let key = DeviceKey(bytes: try row["attested_key"]),
      let environment = AttestedKey.Environment(rawValue: try row["attested_environment"])
    else { throw damaged("an attested key") }
    return AttestedKey(
      id: id, key: key, counter: try row["attested_counter"], environment: environment,
      attested: UnixTime(milliseconds: try row["attested_ms"]))
  }
}
