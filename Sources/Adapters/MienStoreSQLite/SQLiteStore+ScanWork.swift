internal import Foundation
internal import GRDB
public import MienService

/// Uploaded files, and the processing of scans.
extension SQLiteStore {
  public func upload(
    _ id: UploadID
  ) async throws -> (scan: ScanID, status: ScanRecord.Status, file: ScanRecord.File)? {
    try await mapped("Looking for an upload") {
      try await database.read { db in
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT scan_file.*, scan.status FROM scan_file JOIN scan ON scan.id = scan_file.scan_id WHERE upload = ?
            """,
          arguments: [id.text])
        guard let row else { return nil }
        guard let scan = ScanID(row["scan_id"]), let status = ScanRecord.Status(rawValue: row["status"]) else {
          throw Self.damaged("an upload")
        }
        return (scan, status, Self.file(row))
      }
    }
  }

  public func addFile(
    _ file: ScanRecord.File, to id: ScanID, within limits: ScanFileLimits, at time: UnixTime
  ) async throws -> AddFileResult {
    try await mapped("Adding a file to a scan") {
      try await database.write { db in
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT status = 'uploading' AS waits, owner, count(name) AS files, coalesce(sum(bytes), 0) AS bytes
            FROM scan LEFT JOIN scan_file ON scan_id = id AND role = 'sent' WHERE id = ? GROUP BY id
            """, arguments: [id.text])
        guard let row, row["waits"] else { return .closed }
        guard row["files"] < limits.files, row["bytes"] <= limits.bytes - file.bytes else { return .full }
        do {
          try Self.requireQuota(for: file.bytes, of: row["owner"], quota: limits.ownerBytes, in: db)
        } catch let error as StoreError where error.code == .full {
          return .overQuota
        }
        try Self.insert(file, role: "sent", of: id, in: db)
        try db.execute(
          sql: "UPDATE scan SET changed_ms = ? WHERE id = ?", arguments: [time.milliseconds, id.text])
        return .added
      }
    }
  }

  public func received(_ bytes: Int, of upload: UploadID, at time: UnixTime) async throws {
    try await mapped("Noting an upload's bytes") {
      try await group.write { db in
        try db.execute(
          sql: "UPDATE scan_file SET received = ? WHERE upload = ? AND blob IS NULL", arguments: [bytes, upload.text])
        try Self.touch(upload, at: time, in: db)
      }
    }
  }

  public func lost(_ upload: UploadID, at time: UnixTime) async throws { try await received(0, of: upload, at: time) }

  private static func touch(_ upload: UploadID, at time: UnixTime, in db: Database) throws {
    try db.execute(
      sql: "UPDATE scan SET changed_ms = ? WHERE id = (SELECT scan_id FROM scan_file WHERE upload = ?)",
      arguments: [time.milliseconds, upload.text])
  }

  public func whole(
    _ upload: UploadID, type: String, blob: BlobID, digest: ContentDigest, at time: UnixTime
  ) async throws -> Bool {
    try await mapped("Keeping an upload") {
      try await database.write { db in
        try db.execute(
          sql: """
            UPDATE scan_file SET type = ?, blob = ?, digest = ?, received = bytes WHERE upload = ? AND blob IS NULL
            """,
          arguments: [type, blob.text, Data(digest.bytes), upload.text])
        guard db.changesCount > 0 else { return false }
        try Self.touch(upload, at: time, in: db)
        return true
      }
    }
  }

  public func deleteUpload(_ id: UploadID) async throws -> DeletedScanBlobs? {
    try await mapped("Erasing an upload") {
      try await database.write { db in
        var deleted = DeletedScanBlobs()
        try Self.collect("upload = ?", id.text, into: &deleted, in: db)
        try db.execute(sql: "DELETE FROM scan_file WHERE upload = ?", arguments: [id.text])
        return db.changesCount > 0 ? deleted : nil
      }
    }
  }

  // MARK: - Work

  public func move(
    _ id: ScanID, from before: Set<ScanRecord.Status>, to status: ScanRecord.Status, problem: ScanRecord.Problem?,
    at time: UnixTime
  ) async throws -> Bool {
    let names = before.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let isWhole =
      status == .queued
      ? " AND NOT EXISTS (SELECT 1 FROM scan_file WHERE scan_id = scan.id AND blob IS NULL)" : ""
    return try await change(
      "Changing a scan's state",
      """
      UPDATE scan SET status = ?, problem_code = ?, problem_detail = ?, phase = NULL, fraction = NULL, changed_ms = ?
      WHERE id = ? AND status IN (\(names))\(isWhole)
      """,
      [status.rawValue, problem?.code, problem.map { String($0.detail.prefix(4000)) }, time.milliseconds, id.text])
  }

  public func setAttempts(_ attempts: Int, of id: ScanID) async throws {
    _ = try await change(
      "Counting attempts", "UPDATE scan SET attempts = max(?, 0) WHERE id = ?", [attempts, id.text])
  }

  public func acquire(at time: UnixTime) async throws -> ScanRecord? {
    // Reading first avoids a write while nothing is queued.
    let waiting = try await scanIDs("SELECT id FROM scan WHERE status = 'queued' ORDER BY changed_ms, rowid LIMIT ?", 1)
    guard let id = waiting.first else { return nil }
    return try await mapped("Taking up a scan") {
      try await database.write { db in
        try db.execute(
          sql: """
            UPDATE scan SET status = 'working', attempts = attempts + 1, changed_ms = ?, phase = 'reading', fraction = 0
            WHERE id = ? AND status = 'queued'
            """,
          arguments: [time.milliseconds, id.text])
        return db.changesCount > 0 ? try scan(id, in: db) : nil
      }
    }
  }

  public func putBack(at time: UnixTime) async throws -> Int {
    try await mapped("Putting scans back") {
      try await database.write { db in
        try db.execute(
          sql: """
            UPDATE scan SET status = 'queued', attempts = max(attempts - 1, 0), changed_ms = ?, phase = NULL, fraction = NULL
            WHERE status = 'working'
            """, arguments: [time.milliseconds])
        return db.changesCount
      }
    }
  }

  public func workingScans() async throws -> [ScanRecord] {
    try await mapped("Looking for scans") {
      try await database.read { db in
        try String.fetchAll(db, sql: "SELECT id FROM scan WHERE status = 'working'").compactMap {
          try ScanID($0).flatMap { try scan($0, in: db) }
        }
      }
    }
  }

  public func progressed(_ id: ScanID, _ progress: ScanRecord.Progress, at time: UnixTime) async throws -> Bool {
    try await change(
      "Noting progress",
      "UPDATE scan SET phase = ?, fraction = ?, changed_ms = ? WHERE id = ? AND status = 'working'",
      [progress.phase.rawValue, progress.fraction, time.milliseconds, id.text])
  }

  public func finish(
    _ id: ScanID, outcome: ScanReport, results: [ScanRecord.File], at time: UnixTime
  ) async throws -> [BlobID]? {
    let json = try keyring.json(outcome, .scanOutcome, of: id.text)
    return try await mapped("Keeping a scan's results") {
      try await database.write { db in
        try db.execute(
          sql: """
            UPDATE scan SET status = 'done', outcome = ?, phase = NULL, fraction = NULL, changed_ms = ?
            WHERE id = ? AND status = 'working'
            """,
          arguments: [json, time.milliseconds, id.text])
        guard db.changesCount > 0 else { return nil }
        let old = try String.fetchAll(
          db, sql: "SELECT blob FROM scan_file WHERE scan_id = ? AND role = 'result'", arguments: [id.text]
        ).compactMap { BlobID($0) }
        try db.execute(sql: "DELETE FROM scan_file WHERE scan_id = ? AND role = 'result'", arguments: [id.text])
        for file in results { try Self.insert(file, role: "result", of: id, in: db) }
        return old
      }
    }
  }
}
