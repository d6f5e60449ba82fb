internal import Foundation
internal import GRDB
public import MienCore
public import MienService

/// Deletion of checks and persons, and access to their scans and captures.
extension SQLiteStore {
  public func delete(_ id: CheckID) async throws -> ErasureCounts {
    let deleted = try await mapped("Erasing a check") {
      try await database.write { db in try Self.deleteChecks("id = ?1", id.text, in: db) }
    }
    if !deleted.isEmpty { try await shrinkLog() }
    return deleted
  }

  public func delete(_ person: PersonID) async throws -> ErasureCounts {
    let deleted = try await mapped("Erasing a person") {
      try await database.write { db in
        try db.execute(
          sql: """
            DELETE FROM lockout WHERE (kind = 'person' AND name = ?1) OR (
              kind = 'device' AND name IN (SELECT device FROM liveness_check WHERE person = ?1 AND device IS NOT NULL)
              AND NOT EXISTS (SELECT 1 FROM liveness_check WHERE device = lockout.name AND person IS NOT ?1))
            """, arguments: [person.text])
        let lockouts = db.changesCount
        var deleted = try Self.deleteChecks("person = ?1", person.text, in: db)
        deleted[.lockouts] = lockouts
        try db.execute(sql: "DELETE FROM enrolment WHERE person = ?", arguments: [person.text])
        deleted[.enrollments] = db.changesCount
        return deleted
      }
    }
    if !deleted.isEmpty { try await shrinkLog() }
    return deleted
  }

  /// Deletes checks. Dependent rows are deleted by cascade and are counted first.
  private static func deleteChecks(_ condition: String, _ value: String, in db: Database) throws -> ErasureCounts {
    var deleted = ErasureCounts()
    for (kind, table) in PersonalDataCatalog.countedTables {
      deleted[kind] =
        try Int.fetchOne(
          db,
          sql: """
            SELECT count(*) FROM \(table) WHERE check_id IN (SELECT id FROM liveness_check WHERE \(condition))
            """, arguments: [value]) ?? 0
    }
    try db.execute(sql: "DELETE FROM liveness_check WHERE \(condition)", arguments: [value])
    deleted[.checks] = db.changesCount
    return deleted
  }

  // MARK: - Scans and captures of checks

  public func scans(of check: CheckID) async throws -> [ScanID] {
    try await scanIDs("SELECT id FROM scan WHERE check_id = ? ORDER BY created_ms, rowid", check.text)
  }

  public func scans(of person: PersonID) async throws -> [ScanID] {
    try await scanIDs(
      "SELECT id FROM scan WHERE check_id IN (SELECT id FROM liveness_check WHERE person = ?)", person.text)
  }

  public func scansWithoutCheck() async throws -> [ScanID] {
    try await scanIDs("SELECT id FROM scan WHERE \(Self.withoutCheck) LIMIT ?", 100)
  }

  public func captures(of check: CheckID) async throws -> [CaptureID] {
    try await captureIDs("SELECT id FROM capture WHERE check_id = ? ORDER BY received_ms, rowid", check.text)
  }

  public func captures(of person: PersonID) async throws -> [CaptureID] {
    try await captureIDs(
      "SELECT id FROM capture WHERE check_id IN (SELECT id FROM liveness_check WHERE person = ?)", person.text)
  }

  public func capturesWithoutCheck() async throws -> [CaptureID] {
    try await captureIDs("SELECT id FROM capture WHERE \(Self.withoutCheck) LIMIT ?", 100)
  }

  private static let withoutCheck =
    "check_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM liveness_check WHERE liveness_check.id = check_id)"

  private func captureIDs(_ sql: String, _ value: some DatabaseValueConvertible & Sendable) async throws -> [CaptureID]
  {
    try await mapped("Looking for captures") {
      try await database.read { db in
        try String.fetchAll(db, sql: sql, arguments: [value]).compactMap { CaptureID($0) }
      }
    }
  }

  // MARK: - Quotas

  /// Throws if `bytes` would exceed the owner's storage quota. Must run in the transaction that adds the data.
  static func requireQuota(for bytes: Int, of owner: Data?, quota: Int?, in db: Database) throws {
    guard let quota else { return }
    let stored = try Int.fetchOne(
      db,
      sql: """
        SELECT coalesce((
            SELECT sum(bytes) FROM scan_file WHERE scan_id IN (SELECT id FROM scan WHERE coalesce(owner, x'') = ?1)
          ), 0) + coalesce((SELECT sum(bytes) FROM capture WHERE coalesce(owner, x'') = ?1), 0)
        """, arguments: [owner ?? Data()])
    guard let stored else { throw damaged("what an owner stores") }
    guard bytes <= quota - stored else { throw StoreError(.full, reason: "An owner's storage quota is used up.") }
  }

  /// Throws if a check does not exist. Must run in the transaction that adds data to it.
  static func requireCheck(_ check: CheckID?, in db: Database) throws {
    guard let check else { return }
    let isThere = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM liveness_check WHERE id = ?)", arguments: [check.text])
    guard isThere == true else { throw StoreError(.missing, reason: "The check is not there.") }
  }
}
