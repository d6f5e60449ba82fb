internal import MienPlatform
internal import MienScanService

/// Chunks of uploaded files: table `upload_piece`.
extension SQLStore {
  public func pieces(of upload: UploadID) async throws -> [StoredChunk] {
    try await read("Looking for an upload's pieces") { db in
      try db.rows("SELECT start, finish, blob FROM mien.upload_piece WHERE upload = $1 ORDER BY start", [upload])
        .map { row in
          let (start, finish): (Int, Int) = (try row["start"], try row["finish"])
          guard start < finish else { throw SQLReadError() }
          return StoredChunk(range: start..<finish, blob: try row["blob"])
        }
    }
  }

  public func take(_ upload: UploadID, at offset: Int, for writer: String) async throws -> [BlobID]? {
    try await transaction("Acquiring an upload") { db in
      // The row may be locked by a writer that is adding a piece. In that case this statement waits and then finds another offset.
      let taken = try db.change(
        "UPDATE mien.scan_file SET worker = $1 WHERE upload = $2 AND received = $3 AND blob IS NULL",
        [writer, upload, offset])
      guard taken > 0 else { return nil }
      let cut: [BlobID] = try db.column(
        "blob", "DELETE FROM mien.upload_piece WHERE upload = $1 AND start >= $2 RETURNING blob", [upload, offset])
      try db.execute("UPDATE mien.upload_piece SET finish = $2 WHERE upload = $1 AND finish > $2", [upload, offset])
      return cut
    }
  }

  public func add(
    _ piece: StoredChunk, to upload: UploadID, by writer: String, at time: UnixTime
  ) async throws -> Bool {
    try await transaction("Storing a piece of an upload") { db in
      try Self.touch(upload, at: time, in: db)
      let changed = try db.change(
        """
        UPDATE mien.scan_file SET received = $1
        WHERE upload = $2 AND worker = $3 AND received = $4 AND blob IS NULL
        """, [piece.range.upperBound, upload, writer, piece.range.lowerBound])
      guard changed > 0 else { return false }
      try db.insert(
        "upload_piece", ["upload", "start", "finish", "blob"],
        [upload, piece.range.lowerBound, piece.range.upperBound, piece.blob])
      return true
    }
  }

  public func remove(_ pieces: [StoredChunk]) async throws {
    try await transaction("Deleting an upload's pieces") { db in
      for piece in pieces { try db.execute("DELETE FROM mien.upload_piece WHERE blob = $1", [piece.blob]) }
    }
  }

  public func abandonedUploads() async throws -> [UploadID] {
    try await read("Looking for abandoned uploads") { db in
      try db.column(
        "upload",
        """
        SELECT DISTINCT upload FROM mien.upload_piece p
        WHERE NOT EXISTS (SELECT 1 FROM mien.scan_file f WHERE f.upload = p.upload)
        """)
    }
  }
}
