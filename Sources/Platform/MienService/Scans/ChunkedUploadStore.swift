/// Keeps uploads where all servers find them: piece by piece among the files of captures and scans, each a file of its own.
///
/// So an upload that began at one server goes on at another, also when the first has died. A piece is what was synchronised at
/// once; it counts when the database knows it.
public struct ChunkedUploadStore: UploadStore {
  private let pieces: any UploadPieceStore
  private let blobs: any BlobStore
  private let own: any UploadStore
  private let makeName: @Sendable () -> BlobID

  /// - Parameters:
  ///   - blobs: where pieces lie, sealed or not.
  ///   - own: a shelf of this server's own, on which uploads from before there were pieces go on until they are whole.
  ///   - makeName: a name that nobody guesses, each time another.
  public init(
    _ pieces: any UploadPieceStore, blobs: any BlobStore, own: any UploadStore,
    makeName: @escaping @Sendable () -> BlobID
  ) {
    self.pieces = pieces
    self.blobs = blobs
    self.own = own
    self.makeName = makeName
  }

  /// - Throws: ``ServiceError`` with `offsetMismatch` when the upload has gone on at another server.
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
    // Nobody knows them now: what does not go goes with the next sweep of files.
    for blob in cut { _ = try? await blobs.delete(blob) }
    return SharedUploadWriter(id, at: offset, name: name, pieces: pieces, blobs: blobs, makeName: makeName)
  }

  public func read(_ id: UploadID, _ range: Range<Int>) async throws -> [UInt8] {
    let kept = try await pieces.pieces(of: id)
    guard !kept.isEmpty else { return try await own.read(id, range) }
    var bytes: [UInt8] = []
    for piece in kept where piece.range.overlaps(range) {
      let wanted = piece.range.clamped(to: range)
      // Not seen: pieces are added where the one before ends.
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
    // First the files: what could not go is still known.
    for piece in kept { _ = try await blobs.delete(piece.blob) }
    if !kept.isEmpty { try await pieces.forget(kept, of: id) }
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

/// Writes pieces one behind the other.
private actor SharedUploadWriter: UploadWriter {
  private let id: UploadID
  private let name: String
  private let pieces: any UploadPieceStore
  private let blobs: any BlobStore
  private let makeName: @Sendable () -> BlobID
  /// The piece that is being written: where it begins, how long it is, and its file once there is one.
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
    // Whatever comes of it, nothing is added to this one any more.
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
      // A database that did not answer may have kept it. In a task of its own, since whoever was cancelled leaves nothing either.
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
