public import MienCore
public import MienService

/// Deletion of checks and persons, and access to their scans and captures.
extension PostgresStore {
  public func delete(_ id: CheckID) async throws -> ErasureCounts {
    try await mapped("Erasing a check") {
      try await pool.transaction { db in try Self.deleteChecks("id = $1", id.text, in: &db) }
    }
  }

  public func delete(_ person: PersonID) async throws -> ErasureCounts {
    try await mapped("Erasing a person") {
      try await pool.transaction { db in
        let lockouts = try db.change(
          """
          DELETE FROM mien.lockout l WHERE (kind = 'person' AND name = $1) OR (
            kind = 'device' AND name IN (SELECT device FROM mien.liveness_check WHERE person = $1 AND device IS NOT NULL)
            AND NOT EXISTS (
              SELECT 1 FROM mien.liveness_check c WHERE c.device = l.name AND c.person IS DISTINCT FROM $1))
          """, [person.text])
        var deleted = try Self.deleteChecks("person = $1", person.text, in: &db)
        deleted[.lockouts] = lockouts
        deleted[.enrollments] = try db.change("DELETE FROM mien.enrolment WHERE person = $1", [person.text])
        return deleted
      }
    }
  }

  /// Deletes checks. Dependent rows are deleted by cascade and are counted first.
  private static func deleteChecks(
    _ condition: String, _ value: String, in db: inout PostgresConnection
  ) throws -> ErasureCounts {
    var deleted = ErasureCounts()
    for (kind, table) in PersonalDataCatalog.countedTables {
      deleted[kind] = try db.rows(
        """
        SELECT count(*) AS count FROM mien.\(table)
        WHERE check_id IN (SELECT id FROM mien.liveness_check WHERE \(condition))
        """, [value])[0]["count"]
    }
    deleted[.checks] = try db.change("DELETE FROM mien.liveness_check WHERE \(condition)", [value])
    return deleted
  }

  // MARK: - Scans and captures of checks

  public func scans(of check: CheckID) async throws -> [ScanID] {
    try await scanIDs("SELECT id FROM mien.scan WHERE check_id = $1 ORDER BY created_ms, arrival", check.text)
  }

  public func scans(of person: PersonID) async throws -> [ScanID] {
    try await scanIDs(
      "SELECT id FROM mien.scan WHERE check_id IN (SELECT id FROM mien.liveness_check WHERE person = $1)", person.text)
  }

  public func scansWithoutCheck() async throws -> [ScanID] {
    try await scanIDs("SELECT id FROM mien.scan WHERE \(Self.withoutCheck) LIMIT $1", 100)
  }

  public func captures(of check: CheckID) async throws -> [CaptureID] {
    try await captureIDs("SELECT id FROM mien.capture WHERE check_id = $1 ORDER BY received_ms, arrival", check.text)
  }

  public func captures(of person: PersonID) async throws -> [CaptureID] {
    try await captureIDs(
      "SELECT id FROM mien.capture WHERE check_id IN (SELECT id FROM mien.liveness_check WHERE person = $1)",
      person.text)
  }

  public func capturesWithoutCheck() async throws -> [CaptureID] {
    try await captureIDs("SELECT id FROM mien.capture WHERE \(Self.withoutCheck) LIMIT $1", 100)
  }

  private static let withoutCheck =
    "check_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM mien.liveness_check c WHERE c.id = check_id)"

  private func captureIDs(_ sql: String, _ value: any PostgresBindable) async throws -> [CaptureID] {
    try await mapped("Looking for captures") {
      try await pool.read { db in try db.rows(sql, [value]).compactMap { CaptureID(try $0["id"]) } }
    }
  }

  // MARK: - Quotas

  /// Throws if `bytes` would exceed the owner's storage quota. Must run in the transaction that adds the data; other transactions that
  /// add data for the same owner wait until it ends.
  static func requireQuota(for bytes: Int, of owner: [UInt8]?, quota: Int?, in db: inout PostgresConnection) throws {
    guard let quota else { return }
    try db.advisoryLock("mien storage", (owner ?? []).map { String($0, radix: 16) }.joined(separator: "."))
    let stored: Int = try db.rows(
      """
      SELECT (coalesce((
          SELECT sum(bytes) FROM mien.scan_file
          WHERE scan_id IN (SELECT id FROM mien.scan WHERE coalesce(owner, ''::bytea) = $1)
        ), 0) + coalesce((SELECT sum(bytes) FROM mien.capture WHERE coalesce(owner, ''::bytea) = $1), 0))::bigint AS bytes
      """, [owner ?? []])[0]["bytes"]
    guard bytes <= quota - stored else { throw StoreError(.full, reason: "An owner's storage quota is used up.") }
  }

  /// Throws if a check does not exist, and otherwise locks it against deletion until the end of the transaction.
  static func requireCheck(_ check: CheckID?, in db: inout PostgresConnection) throws {
    guard let check else { return }
    let found = try db.rows("SELECT id FROM mien.liveness_check WHERE id = $1 FOR KEY SHARE", [check.text])
    guard !found.isEmpty else { throw StoreError(.missing, reason: "The check is not there.") }
  }
}
