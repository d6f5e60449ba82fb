public import MienPlatform

/// Stores uploads where all servers can access them: as chunks among the blobs of captures and scans, each a blob of
/// its own.
///
/// An upload that started on one server can continue on another, even if the first has failed. A chunk consists of the
/// bytes synchronized at once; it counts once the database contains it.
public struct ChunkedUploadStore: UploadStore {
  private let pieces: any UploadPieceStore
  private let blobs: any BlobStore
  private let own: any UploadStore
  private let makeName: @Sendable () -> BlobID

  /// - Parameters:
  ///   - blobs: stores the chunks, encrypted or not.
  ///   - own: a local store for uploads that were started before chunked storage was introduced, until they are
  ///     complete.
  ///   - makeName: returns a new unguessable name on each call.
  public init(
    _ pieces: any UploadPieceStore, blobs: any BlobStore, own: any UploadStore,
    makeName: @escaping @Sendable () -> BlobID
  ) {
    self.pieces = pieces
    self.blobs = blobs
    self.own = own
    self.makeName = makeName
  }

  /// - Throws: ``ServiceError`` with `offsetMismatch` if the upload has continued on another server.
  public func open(_ id: UploadID, at offset: Int) async throws -> any UploadWriter {
    if offset > 0 {
      guard let end = try await pieces.pieces(of: id).last?.range.upperBound else {
        return try await own.open(id, at: offset)
      }
      guard offset <= end else {
        throw StoreError(.missing, reason: "An upload has fewer bytes than were noted.")
      }
    }
    let name = makeName().text
    guard let cut = try await pieces.take(id, at: offset, for: name) else {
      throw ServiceError(.offsetMismatch, "The upload is not at \(offset) bytes any more: ask where it is.")
    }
    // The blobs are no longer referenced: those that cannot be deleted now are removed by garbage collection.
    for blob in cut { _ = try? await blobs.delete(blob) }
    return SharedUploadWriter(id, at: offset, name: name, pieces: pieces, blobs: blobs, makeName: makeName)
  }

  public func read(_ id: UploadID, _ range: Range<Int>) async throws -> [UInt8] {
    let kept = try await pieces.pieces(of: id)
    guard !kept.isEmpty else { return try await own.read(id, range) }
    var bytes: [UInt8] = []
    for piece in kept where piece.range.overlaps(range) {
      let wanted = piece.range.clamped(to: range)
      // Not observed in practice: chunks are contiguous.
      guard wanted.lowerBound == range.lowerBound + bytes.count else {
        throw StoreError(.missing, reason: "Between two pieces of an upload bytes are missing.")
      }
      let start = piece.range.lowerBound
      let part = try await blobs.read(piece.blob, wanted.lowerBound - start..<wanted.upperBound - start)
      guard part.count == wanted.count else {
        throw StoreError(.unavailable, reason: "A piece of an upload is shorter than was noted. Send the file again.")
      }
      bytes += part
    }
    return bytes
  }

  public func delete(_ id: UploadID) async throws -> Bool {
    let kept = try await pieces.pieces(of: id)
    // Blobs first: those that cannot be deleted are still referenced.
    for piece in kept { _ = try await blobs.delete(piece.blob) }
    if !kept.isEmpty { try await pieces.remove(kept, of: id) }
    return try await own.delete(id) || !kept.isEmpty
  }

  public func collectGarbage(keeping isWanted: @Sendable (UploadID) async throws -> Bool) async throws -> Int {
    var count = try await own.collectGarbage(keeping: isWanted)
    for id in try await pieces.uploadsInPieces() {
      guard try await !isWanted(id) else { continue }
      if try await delete(id) { count += 1 }
    }
    return count
  }
}

/// Writes contiguous chunks.
private actor SharedUploadWriter: UploadWriter {
  private let id: UploadID
  private let name: String
  private let pieces: any UploadPieceStore
  private let blobs: any BlobStore
  private let makeName: @Sendable () -> BlobID
  /// The chunk being written: its range, and its blob once there is one.
  private var range: Range<Int>
  private var file: (blob: BlobID, writer: any BlobWriter)?
  private var isClosed = false

  init(
    _ id: UploadID, at offset: Int, name: String, pieces: any UploadPieceStore, blobs: any BlobStore,
    makeName: @escaping @Sendable () -> BlobID
  ) {
    self.id = id
    self.name = name
    self.pieces = pieces
    self.blobs = blobs
    self.makeName = makeName
    range = offset..<offset
  }

  func write(_ bytes: [UInt8]) async throws {
    guard !isClosed else { throw StoreError(.unavailable, reason: "The upload has been closed.") }
    guard !bytes.isEmpty else { return }
    if file == nil {
      let blob = makeName()
      file = (blob, try await blobs.begin(blob, isDigested: false))
    }
    try await file?.writer.write(bytes)
    range = range.lowerBound..<range.upperBound + bytes.count
  }

  func synchronize() async throws {
    guard let (blob, writer) = file else { return }
    // Nothing more is added to this chunk, whatever the outcome.
    file = nil
    let piece = StoredChunk(range: range, blob: blob)
    do {
      _ = try await writer.commit()
    } catch {
      await writer.discard()
      throw error
    }
    do {
      guard try await pieces.add(piece, to: id, by: name) else {
        _ = try? await blobs.delete(blob)
        throw ServiceError(.uploadBusy, "Another request brings bytes for this upload just now.", retryAfter: 1)
      }
    } catch let error as StoreError {
      // A database that did not respond may have stored it. In a separate task, since the current one may be canceled
      // and must still clean up.
      await Task { [pieces, blobs, id] in
        guard let kept = try? await pieces.pieces(of: id), !kept.contains(piece) else { return }
        _ = try? await blobs.delete(blob)
      }.value
      throw error
    }
    range = range.upperBound..<range.upperBound
  }

  func close() async {
    isClosed = true
    let open = file
    file = nil
    await open?.writer.discard()
  }
}
