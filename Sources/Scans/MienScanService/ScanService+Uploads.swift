public import MienPlatform
internal import MienCore

/// Resumable uploads.
extension ScanService {
  /// Progress of an upload.
  public struct UploadState: Sendable {
    public let scan: ScanID
    public let name: String
    public let length: Int
    public let offset: Int
    /// Time at which it expires unless more bytes arrive; `nil` if it is complete or its scan accepts no more bytes.
    public let expires: UnixTime?
  }

  private static var noUpload: ServiceError {
    ServiceError(.notFound, "There is no such upload on this server, or it has been ended.")
  }

  public nonisolated func upload(_ text: String) async throws -> UploadState {
    guard let id = UploadID(text), let found = try await store.upload(id), let scan = try await store.scan(found.scan)
    else { throw Self.noUpload }
    let isOpen = scan.status == .uploading && !found.file.isWhole
    let timeout = settings.timeout.nanoseconds / 1_000_000
    return UploadState(
      scan: found.scan, name: found.file.name, length: found.file.bytes, offset: found.file.received,
      expires: isOpen ? UnixTime(milliseconds: scan.changed.milliseconds + timeout) : nil)
  }

  /// Begins a chunk: the bytes of one request. The caller must finish it with ``end(_:)`` or ``breakOff(_:)``.
  ///
  /// - Parameter announced: number of bytes, if the sender announced it.
  public func begin(
    _ text: String, at offset: Int, announced: Int?, checksum: UploadChecksum?
  ) async throws -> UploadChunk {
    guard let id = UploadID(text) else { throw Self.noUpload }
    guard busy.insert(id).inserted else {
      throw ServiceError(.uploadBusy, "Another request brings bytes for this upload just now.", retryAfter: 1)
    }
    do {
      guard let found = try await store.upload(id) else { throw Self.noUpload }
      guard found.status == .uploading else {
        throw ServiceError(.wrongState, "The scan takes no more bytes: it is \(found.status.rawValue).")
      }
      guard found.file.received == offset else {
        throw ServiceError(.offsetMismatch, "The upload is at \(found.file.received) bytes, not at \(offset).")
      }
      let length = found.file.bytes
      if let announced, announced > length - offset {
        throw ServiceError(.bodyTooLarge, "The upload was announced with \(length) bytes; these are more.")
      }
      let writer = found.file.isWhole ? NullUploadWriter() : try await taken(id, at: offset)
      let (store, clock) = (store, clock)
      return UploadChunk(id, writer: writer, at: offset, length: length, checksum: checksum) { received in
        try await store.received(received, of: id, at: clock.timeOfDay())
      }
    } catch {
      busy.remove(id)
      throw error
    }
  }

  /// The received bytes of an upload may be missing: backups and migrated stores do not contain them. The upload then
  /// restarts.
  private func taken(_ id: UploadID, at offset: Int) async throws -> any UploadWriter {
    do {
      return try await uploads.open(id, at: offset)
    } catch let error as StoreError where error.code == .missing && offset > 0 {
      throw try await gone(id)
    }
  }

  private nonisolated func gone(_ id: UploadID) async throws -> ServiceError {
    try await store.lost(id, at: clock.timeOfDay())
    return ServiceError(
      .offsetMismatch, "What came of the upload is not on this server any more. Ask where it is, and go on there.")
  }

  /// Finishes a chunk after its last byte; returns the new offset.
  public func end(_ piece: UploadChunk) async throws -> Int {
    defer { busy.remove(piece.id) }
    do {
      let offset = try await piece.end()
      await piece.close()
      guard let found = try await store.upload(piece.id) else {
        // Deleted while receiving: the writer may have recreated the file.
        try await clear(piece.id)
        return offset
      }
      if !found.file.isWhole, offset == found.file.bytes { try await complete(piece.id, found.file) }
      return offset
    } catch {
      await piece.close()
      throw error
    }
  }

  /// Aborts a chunk.
  public func breakOff(_ piece: UploadChunk) async {
    await piece.breakOff()
    await piece.close()
    let (store, id) = (store, piece.id)
    // In a separate task, since chunks are aborted when the sender disconnects; checks whether the upload was deleted
    // while receiving.
    let isErased = await Task {
      do { return try await store.upload(id) == nil } catch { return false }
    }.value
    if isErased { try? await clear(id) }
    busy.remove(piece.id)
  }

  /// Cancels an upload and deletes its bytes.
  public func delete(upload text: String) async throws {
    guard let id = UploadID(text), let found = try await store.upload(id) else { throw Self.noUpload }
    guard found.status == .uploading else {
      throw ServiceError(.wrongState, "The scan is \(found.status.rawValue): its files stay.")
    }
    guard !busy.contains(id) else {
      throw ServiceError(.uploadBusy, "Another request brings bytes for this upload just now.", retryAfter: 1)
    }
    guard let deleted = try await store.deleteUpload(id) else { throw Self.noUpload }
    try await remove(deleted)
  }

  /// Deletes an upload's bytes. Runs off the actor, like ``complete(_:_:)``.
  @concurrent private nonisolated func clear(_ id: UploadID) async throws { _ = try await uploads.delete(id) }

  /// Moves a complete upload to the blob store. It can be repeated if the process crashed meanwhile.
  ///
  /// Runs off the actor, which only generates the blob ID: each wait for the disk would otherwise block all other
  /// requests.
  @concurrent nonisolated func complete(_ id: UploadID, _ file: ScanRecord.File) async throws {
    let blob = await newBlob()
    let writer = try await blobs.begin(blob)
    do {
      var head: [UInt8] = []
      var place = 0
      while place < file.bytes {
        let bytes = try await uploads.read(id, place..<min(place + 1 << 20, file.bytes))
        guard !bytes.isEmpty else { throw StoreError(.missing, reason: "An upload ends before its time.") }
        if place == 0 { head = Array(bytes.prefix(8)) }
        place += bytes.count
        try await writer.write(bytes)
      }
      let written = try await writer.commit()
      guard let digest = ContentDigest(bytes: written.digest) else { preconditionFailure("a digest has 32 bytes") }
      guard
        try await store.whole(
          id, type: Self.type(ofHead: head, name: file.name), blob: blob, digest: digest, at: clock.timeOfDay())
      else { throw Self.noUpload }
    } catch {
      await writer.discard()
      // A database that did not respond may have stored it, and so may a concurrent request that completed the same
      // upload.
      let isKept: Bool? = await Task {
        do {
          let found = try await store.upload(id)?.file
          if found?.blob != blob { _ = try await blobs.delete(blob) }
          return found?.isWhole
        } catch {
          return nil  // left for garbage collection
        }
      }.value
      if isKept == false, (error as? StoreError)?.code == .missing {
        try await clear(id)
        throw try await gone(id)
      }
      guard isKept == true else { throw error }
    }
    _ = try await uploads.delete(id)
  }

  /// Returns the media type of a file by its first bytes, at least eight, or by its name if these are inconclusive.
  public static func type(ofHead head: [UInt8], name: String) -> String {
    let known: [(head: [UInt8], type: String)] = [
      ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
      ([0x50, 0x4B, 0x03, 0x04], "application/zip"), ([0x89, 0x4D, 0x53, 0x43], "application/x-mien-scan"),
    ]
    if let found = known.first(where: { head.starts(with: $0.head) }) { return found.type }
    return name.lowercased().hasSuffix(".json") ? "application/json" : "application/octet-stream"
  }
}

/// Accepts the empty chunks of an upload that is complete.
private struct NullUploadWriter: UploadWriter {
  func write(_: [UInt8]) async throws {}
  func synchronize() async throws {}
  func close() async {}
}
