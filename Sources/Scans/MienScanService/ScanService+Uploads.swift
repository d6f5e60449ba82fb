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
    ServiceError(.notFound, "There is no such upload on this server, or it has been deleted.")
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
      throw ServiceError(.uploadBusy, "Another request is sending bytes for this upload.", retryAfter: 1)
    }
    do {
      guard let found = try await store.upload(id) else { throw Self.noUpload }
      guard found.status == .uploading else {
        throw ServiceError(.wrongState, "The scan accepts no more bytes: it is \(found.status.rawValue).")
      }
      guard found.file.received == offset else {
        throw ServiceError(.offsetMismatch, "The upload is at \(found.file.received) bytes, not at \(offset).")
      }
      let length = found.file.bytes
      if let announced, announced > length - offset {
        throw ServiceError(.bodyTooLarge, "The upload was announced with \(length) bytes; this request sends more.")
      }
      let writer = found.file.isWhole ? nil : try await openedWriter(id, at: offset)
      let known = offset == 0 ? (offset: 0, digest: ContentDigest.Running()) : digests[id]
      return UploadChunk(
        id, writer: writer, at: offset, digest: known?.offset == offset ? known?.digest : nil, length: length,
        checksum: checksum)
    } catch {
      busy.remove(id)
      throw error
    }
  }

  /// Maximum number of cached digests.
  private static let mostDigests = 1000

  /// The received bytes of an upload may be missing, for instance after the restoration of a backup. The upload then
  /// restarts.
  private func openedWriter(_ id: UploadID, at offset: Int) async throws -> UploadWriter {
    do {
      return try await uploads.open(id, at: offset)
    } catch let error as StoreError where error.code == .missing && offset > 0 {
      throw try await lostBytesError(id)
    }
  }

  private nonisolated func lostBytesError(_ id: UploadID) async throws -> ServiceError {
    try await store.lost(id, at: clock.timeOfDay())
    return ServiceError(
      .offsetMismatch,
      "The received part of this upload is no longer on this server. Request its offset and continue from there.")
  }

  /// Finishes a chunk after its last byte; returns the new offset.
  public func end(_ piece: UploadChunk) async throws -> Int {
    defer { busy.remove(piece.id) }
    let offset: Int
    do {
      offset = try await piece.end()
    } catch {
      await close(piece)
      throw error
    }
    await close(piece)
    guard let found = try await store.upload(piece.id) else {
      // Deleted after the last bytes were added.
      try await clear(piece.id)
      return offset
    }
    if !found.file.isWhole, offset == found.file.bytes {
      try await complete(piece.id, found.file, digest: digests[piece.id]?.digest.digest)
      digests[piece.id] = nil
    }
    return offset
  }

  /// Closes a chunk, and caches the digest of what the upload has, so that the bytes need not be read again.
  private func close(_ piece: UploadChunk) async {
    await piece.close()
    if digests.count >= Self.mostDigests { digests.removeAll() }
    let (offset, digest) = await (piece.offset, piece.digest)
    digests[piece.id] = offset > 0 ? digest.map { (offset, $0) } : nil
  }

  /// Aborts a chunk.
  public func breakOff(_ piece: UploadChunk) async {
    await piece.breakOff()
    await close(piece)
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
      throw ServiceError(.wrongState, "The scan is \(found.status.rawValue): its files cannot be deleted.")
    }
    guard !busy.contains(id) else {
      throw ServiceError(.uploadBusy, "Another request is sending bytes for this upload.", retryAfter: 1)
    }
    guard let deleted = try await store.deleteUpload(id) else { throw Self.noUpload }
    try await remove(deleted)
  }

  /// Deletes an upload's bytes. Runs off the actor, like ``complete(_:_:digest:)``.
  @concurrent private nonisolated func clear(_ id: UploadID) async throws { try await uploads.delete([id]) }

  /// Records that a file is complete: its chunks are the file. It can be repeated if the process crashed meanwhile.
  ///
  /// Runs off the actor: each wait for the disk would otherwise block all other requests.
  ///
  /// - Parameter digest: the digest of the bytes; `nil` to compute it from the stored ones.
  @concurrent nonisolated func complete(_ id: UploadID, _ file: ScanRecord.File, digest: ContentDigest?) async throws {
    do {
      let stored = try await uploads.file(id)
      guard let first = stored.chunks.first, stored.count == file.bytes else {
        throw StoreError(.missing, reason: "An upload is shorter than announced.")
      }
      let type = Self.type(ofHead: try await stored.read(0..<8), name: file.name)
      let digest = if let digest { digest } else { try await stored.digest() }
      guard try await store.whole(id, type: type, blob: first.blob, digest: digest, at: clock.timeOfDay()) else {
        throw Self.noUpload
      }
    } catch {
      // A database that did not respond may have recorded it, and so may a concurrent request for the same upload.
      let state = await Task { [store] in
        do { return (isKnown: true, file: try await store.upload(id)?.file) } catch { return (false, nil) }
      }.value
      if state.file?.isWhole == true { return }
      if state.isKnown, state.file == nil {
        try await clear(id)
      } else if state.isKnown, (error as? StoreError)?.code == .missing {
        try await clear(id)
        throw try await lostBytesError(id)
      }
      throw error
    }
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
