internal import MienCore
internal import MienPlatform
internal import MienCaptures

/// Devices that sign captures, and challenges for their attestation: tables `capture_device` and `device_challenge`.
extension SQLStore {
  public func save(_ device: CaptureDevice) async throws {
    let attested = device.attested
    try await write("Storing a device") { db in
      try db.insert(
        "capture_device",
        [
          "id", "public_key", "counter", "created_ms", "attested_id", "attested_key", "attested_counter",
          "attested_environment", "attested_ms",
        ],
        [
          device.id, device.key, device.counter, device.created, attested?.id, attested?.key, attested?.counter,
          attested?.environment, attested?.attested,
        ])
    }
  }

  public func device(_ id: DeviceID) async throws -> CaptureDevice? {
    try await read("Reading a device") { db in
      try db.first("SELECT * FROM mien.capture_device WHERE id = $1", [id]).map(Self.device)
    }
  }

  public func deleteDevice(_ id: DeviceID) async throws -> Bool {
    try await change("Deleting a device", "DELETE FROM mien.capture_device WHERE id = $1", [id]) > 0
  }

  public func attest(_ id: DeviceID, key: DeviceKey, _ attested: AttestedKey) async throws -> CaptureDevice? {
    try await write("Storing an attested key") { db in
      try db.first(
        """
        UPDATE mien.capture_device SET
          attested_counter =
            CASE WHEN attested_id = $1 AND attested_counter > $3 THEN attested_counter ELSE $3 END,
          attested_id = $1, attested_key = $2, attested_environment = $4, attested_ms = $5
        WHERE id = $6 AND public_key = $7 RETURNING *
        """, [attested.id, attested.key, attested.counter, attested.environment, attested.attested, id, key]
      ).map(Self.device)
    }
  }

  public func saveChallenge(_ digest: SecretDigest, until expires: UnixTime, at now: UnixTime) async throws {
    try await transaction("Storing a challenge") { db in
      // Challenges locked by another server are being used or deleted there.
      try db.execute(
        """
        DELETE FROM mien.device_challenge WHERE digest IN (
          SELECT digest FROM mien.device_challenge WHERE expires_ms <= $1 FOR UPDATE SKIP LOCKED
        )
        """, [now])
      try db.insert("device_challenge", ["digest", "expires_ms"], [digest, expires])
    }
  }

  public func takeChallenge(_ digest: SecretDigest, at now: UnixTime) async throws -> Bool {
    try await write("Taking a challenge") { db in
      let taken = try db.first("DELETE FROM mien.device_challenge WHERE digest = $1 RETURNING expires_ms", [digest])
      return try taken.map { try $0["expires_ms"] > now } == true
    }
  }

  private static func device(_ row: SQLRow) throws -> CaptureDevice {
    CaptureDevice(
      id: try row["id"], key: try row["public_key"], counter: try row["counter"], created: try row["created_ms"],
      attested: try (row[optional: "attested_id"] as ContentDigest?).map { id in
        AttestedKey(
          id: id, key: try row["attested_key"], counter: try row["attested_counter"],
          environment: try row["attested_environment"], attested: try row["attested_ms"])
      })
  }
}
