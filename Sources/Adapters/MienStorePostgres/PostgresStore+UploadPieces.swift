public import MienService

extension PostgresStore: UploadPieceStore {
  public func pieces(of upload: UploadID) async throws -> [StoredChunk] {
    try await mapped("Looking for an upload's pieces") {
      try await pool.read { db in
        try db.rows(
          "SELECT start, finish, blob FROM mien.upload_piece WHERE upload = $1 ORDER BY start", [upload.text]
        ).map { row in
          let (start, finish): (Int, Int) = (try row["start"], try row["finish"])
          guard start < finish, let blob = BlobID(try row["blob"]) else { throw Self.damaged("a piece of an upload") }
          return StoredChunk(range: start..<finish, blob: blob)
        }
      }
    }
  }

  public func take(_ upload: UploadID, at offset: Int, for writer: String) async throws -> [BlobID]? {
    try await mapped("Taking an upload") {
      try await pool.transaction { db in
        // The row may be locked by a writer that is adding a piece. In that case this statement waits and then finds another offset.
        let taken = try db.change(
          "UPDATE mien.scan_file SET worker = $1 WHERE upload = $2 AND received = $3 AND blob IS NULL",
          [writer, upload.text, offset])
        guard taken > 0 else { return nil }
        let cut = try db.rows(
          "DELETE FROM mien.upload_piece WHERE upload = $1 AND start >= $2 RETURNING blob", [upload.text, offset])
        try db.send(
          "UPDATE mien.upload_piece SET finish = $2 WHERE upload = $1 AND finish > $2", [upload.text, offset])
        return try cut.compactMap { BlobID(try $0["blob"]) }
      }
    }
  }

  public func add(_ piece: StoredChunk, to upload: UploadID, by writer: String) async throws -> Bool {
    try await mapped("Keeping a piece of an upload") {
      try await pool.transaction { db in
        let noted = try db.change(
          """
          UPDATE mien.scan_file SET received = $1
          WHERE upload = $2 AND worker = $3 AND received = $4 AND blob IS NULL
          """, [piece.range.upperBound, upload.text, writer, piece.range.lowerBound])
        guard noted > 0 else { return false }
        try db.send(
          "INSERT INTO mien.upload_piece (upload, start, finish, blob) VALUES ($1, $2, $3, $4)",
          [upload.text, piece.range.lowerBound, piece.range.upperBound, piece.blob.text])
        return true
      }
    }
  }

  public func remove(_ pieces: [StoredChunk], of upload: UploadID) async throws {
    try await mapped("Forgetting an upload's pieces") {
      try await pool.transaction { db in
        for piece in pieces {
          try db.send(
            "DELETE FROM mien.upload_piece WHERE upload = $1 AND blob = $2", [upload.text, piece.blob.text])
        }
      }
    }
  }

  public func uploadsInPieces() async throws -> [UploadID] {
    try await mapped("Looking for uploads in pieces") {
      try await pool.read { db in
        try db.rows("SELECT DISTINCT upload FROM mien.upload_piece").compactMap { UploadID(try $0["upload"]) }
      }
    }
  }
}
