internal import MienCore
internal import MienPlatform
internal import MienCaptures
internal import MienScanService

/// Deletion of checks and persons, and access to their scans and captures.
extension SQLStore {
  public func delete(_ id: CheckID) async throws -> ErasureCounts {
    let deleted = try await transaction("Deleting a check") { db in
      try Self.deleteChecks("id = $1", id, in: db)
    }
    if !deleted.isEmpty { try await purgeReplaced() }
    return deleted
  }

  public func delete(_ person: PersonID) async throws -> ErasureCounts {
    let deleted = try await transaction("Deleting a person's data") { db in
      let lockouts = try db.change(
        """
        DELETE FROM mien.lockout AS l WHERE (kind = 'person' AND name = $1) OR (
          kind = 'device' AND name IN (SELECT device FROM mien.liveness_check WHERE person = $1 AND device IS NOT NULL)
          AND NOT EXISTS (
            SELECT 1 FROM mien.liveness_check c WHERE c.device = l.name AND (c.person IS NULL OR c.person <> $1)))
        """, [person])
      var deleted = try Self.deleteChecks("person = $1", person, in: db)
      deleted[.lockouts] = lockouts
      deleted[.templates] += try db.change("DELETE FROM mien.face_template WHERE person = $1", [person])
      deleted[.enrollments] = try db.change("DELETE FROM mien.enrollment WHERE person = $1", [person])
      return deleted
    }
    if !deleted.isEmpty { try await purgeReplaced() }
    return deleted
  }

  /// Deletes checks. Dependent rows are deleted by cascade and are counted first.
  private static func deleteChecks(
    _ condition: String, _ value: any SQLBindable, in db: any SQLConnection
  ) throws -> ErasureCounts {
    var deleted = ErasureCounts()
    for (kind, table) in PersonalDataCatalog.countedTables {
      deleted[kind] = try db.count(
        """
        SELECT count(*) AS count FROM mien.\(table)
        WHERE check_id IN (SELECT id FROM mien.liveness_check WHERE \(condition))
        """, [value])
    }
    deleted[.checks] = try db.change("DELETE FROM mien.liveness_check WHERE \(condition)", [value])
    return deleted
  }

  // MARK: - Scans and captures of checks

  public func scans(of check: CheckID) async throws -> [ScanID] {
    try await ids(
      "Looking for scans", "SELECT id FROM mien.scan WHERE check_id = $1 ORDER BY created_ms, arrival", [check])
  }

  public func scans(of person: PersonID) async throws -> [ScanID] {
    try await ids(
      "Looking for scans",
      "SELECT id FROM mien.scan WHERE check_id IN (SELECT id FROM mien.liveness_check WHERE person = $1)", [person])
  }

  public func scansWithoutCheck() async throws -> [ScanID] {
    try await ids("Looking for scans", "SELECT id FROM mien.scan s WHERE \(Self.withoutCheck("s")) LIMIT 100")
  }

  public func captures(of check: CheckID) async throws -> [CaptureID] {
    try await ids(
      "Looking for captures", "SELECT id FROM mien.capture WHERE check_id = $1 ORDER BY received_ms, arrival", [check])
  }

  public func captures(of person: PersonID) async throws -> [CaptureID] {
    try await ids(
      "Looking for captures",
      "SELECT id FROM mien.capture WHERE check_id IN (SELECT id FROM mien.liveness_check WHERE person = $1)", [person])
  }

  public func capturesWithoutCheck() async throws -> [CaptureID] {
    try await ids("Looking for captures", "SELECT id FROM mien.capture s WHERE \(Self.withoutCheck("s")) LIMIT 100")
  }

  private static func withoutCheck(_ table: String) -> String {
    """
    \(table).check_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM mien.liveness_check c WHERE c.id = \(table).check_id)
    """
  }

  // MARK: - Quotas

  /// Throws if `bytes` would exceed the owner's storage quota. Must run in the transaction that adds the data; other transactions that
  /// add data for the same owner wait until it ends.
  static func requireQuota(for bytes: Int, of owner: [UInt8], quota: Int?, in db: any SQLConnection) throws {
    guard let quota else { return }
    try db.lock("mien storage", owner.map { String($0, radix: 16) }.joined(separator: "."))
    let stored: Int = try db.count(
      """
      SELECT CAST(
        coalesce((
          SELECT sum(bytes) FROM mien.scan_file WHERE scan_id IN (SELECT id FROM mien.scan WHERE owner = $1)
        ), 0) + coalesce((SELECT sum(bytes) FROM mien.capture WHERE owner = $1), 0) AS bigint) AS count
      """, [owner])
    guard bytes <= quota - stored else { throw StoreError(.full, reason: "An owner's storage quota is used up.") }
  }

  /// Throws if the captures of a capture's check would exceed its limits. Must run in the transaction that adds the
  /// capture.
  static func requireRoom(
    for capture: CaptureRecord, within limits: CheckCaptureLimits?, in db: any SQLConnection
  ) throws {
    guard let limits, let check = capture.check else { return }
    try db.lock("mien captures of check", check.text)
    let stored = try db.first(
      "SELECT count(*) AS count, CAST(coalesce(sum(bytes), 0) AS bigint) AS bytes FROM mien.capture WHERE check_id = $1",
      [check])
    guard let stored, try stored["count"] < limits.count,
      capture.storedBytes <= limits.bytes - (try stored["bytes"] as Int)
    else { throw StoreError(.full, reason: "The check has the maximum number or size of captures.") }
  }

  /// Throws if a check does not exist, and otherwise locks it against deletion until the end of the transaction.
  static func requireCheck(_ check: CheckID?, in db: any SQLConnection) throws {
    guard let check else { return }
    guard try db.exists("SELECT id FROM mien.liveness_check WHERE id = $1 FOR KEY SHARE", [check]) else {
      throw StoreError(.missing, reason: "The check does not exist.")
    }
  }
}
