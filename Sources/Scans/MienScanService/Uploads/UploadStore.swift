public import MienPlatform

/// Receives the files of resumable uploads: as chunks in the blob store, each a blob of its own.
///
/// A chunk consists of the bytes synchronized at once; it counts once the database contains it. A complete file is the
/// sequence of its chunks: nothing is copied, and every server that shares the blob store can continue an upload, even
/// if the server that began it has failed.
public struct UploadStore: Sendable {
  private let pieces: any UploadPieceStore
  private let blobs: any BlobStore
  private let clock: any ServiceClock
  private let makeName: @Sendable () async -> BlobID

  /// - Parameters:
  ///   - blobs: stores the chunks.
  ///   - makeName: returns a new unguessable name on each call.
  public init(
    _ pieces: any UploadPieceStore, blobs: any BlobStore, clock: any ServiceClock,
    makeName: @escaping @Sendable () async -> BlobID
  ) {
    self.pieces = pieces
    self.blobs = blobs
    self.clock = clock
    self.makeName = makeName
  }

  /// Opens an upload for appending at `offset` bytes; later bytes are truncated.
  ///
  /// - Throws: ``StoreError`` with `missing` if there are fewer bytes; ``ServiceError`` with `offsetMismatch` if the
  ///   upload has continued on another server.
  public func open(_ id: UploadID, at offset: Int) async throws -> UploadWriter {
    if offset > 0, try await file(id).count < offset {
      throw StoreError(.missing, reason: "An upload has fewer bytes than recorded.")
    }
    let name = await makeName().text
    guard let cut = try await pieces.take(id, at: offset, for: name) else {
      throw ServiceError(.offsetMismatch, "The upload is no longer at \(offset) bytes. Request its offset.")
    }
    // The blobs are no longer referenced: those that cannot be deleted now are removed by garbage collection.
    for blob in cut { _ = try? await blobs.delete(blob) }
    return UploadWriter(id, at: offset, name: name, pieces: pieces, blobs: blobs, clock: clock, makeName: makeName)
  }

  /// Returns the bytes received so far.
  public func file(_ id: UploadID) async throws -> StoredFile {
    StoredFile(try await pieces.pieces(of: id), in: blobs)
  }

  /// Deletes the bytes of uploads.
  public func delete(_ ids: [UploadID]) async throws {
    var deleted: [StoredChunk] = []
    for id in ids {
      for piece in try await pieces.pieces(of: id) {
        // Blobs first: those that cannot be deleted are still referenced.
        _ = try await blobs.delete(piece.blob)
        deleted.append(piece)
      }
    }
    if !deleted.isEmpty { try await pieces.remove(deleted) }
  }

  /// Deletes the bytes of uploads whose file no longer exists.
  public func collectGarbage() async throws { try await delete(pieces.abandonedUploads()) }
}

/// Appends chunks to one upload. Must be used by one task at a time.
public actor UploadWriter {
  private let id: UploadID
  private let name: String
  private let pieces: any UploadPieceStore
  private let blobs: any BlobStore
  private let clock: any ServiceClock
  private let makeName: @Sendable () async -> BlobID
  /// The chunk being written: its range, and its blob once there is one.
  private var range: Range<Int>
  private var file: (blob: BlobID, writer: any BlobWriter)?
  private var isClosed = false

  init(
    _ id: UploadID, at offset: Int, name: String, pieces: any UploadPieceStore, blobs: any BlobStore,
    clock: any ServiceClock, makeName: @escaping @Sendable () async -> BlobID
  ) {
    self.id = id
    self.name = name
    self.pieces = pieces
    self.blobs = blobs
    self.clock = clock
    self.makeName = makeName
    range = offset..<offset
  }

  public func write(_ bytes: [UInt8]) async throws {
    guard !isClosed else { throw StoreError(.unavailable, reason: "The upload has been closed.") }
    guard !bytes.isEmpty else { return }
    if file == nil {
      let blob = await makeName()
      file = (blob, try await blobs.begin(blob, isDigested: false))
    }
    try await file?.writer.write(bytes)
    range = range.lowerBound..<range.upperBound + bytes.count
  }

  /// Returns once all written bytes would survive a power failure.
  ///
  /// - Throws: ``ServiceError`` with `uploadBusy` if another request has acquired the upload, or it was deleted.
  public func synchronize() async throws {
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
      guard try await pieces.add(piece, to: id, by: name, at: clock.timeOfDay()) else {
        _ = try? await blobs.delete(blob)
        throw ServiceError(.uploadBusy, "Another request is sending bytes for this upload.", retryAfter: 1)
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

  public func close() async {
    isClosed = true
    let open = file
    file = nil
    await open?.writer.discard()
  }
}

/// A chunk of an uploaded file, in a blob of its own.
public struct StoredChunk: Hashable, Sendable {
  /// Range of the file; the blob may have more bytes, which are ignored.
  public let range: Range<Int>
  public let blob: BlobID

  public init(range: Range<Int>, blob: BlobID) {
    self.range = range
    self.blob = blob
  }
}

/// Stores the chunk lists of uploaded files.
///
/// Only the last writer that acquired an upload may add chunks: a server whose client continued elsewhere cannot store
/// any more.
public protocol UploadPieceStore: Sendable {
  /// Returns the chunks of an upload, in order and without gaps.
  func pieces(of upload: UploadID) async throws -> [StoredChunk]
  /// Acquires an upload at `offset`; chunk data after it is truncated.
  ///
  /// - Parameter writer: a unique name of this acquisition.
  /// - Returns: the blobs of chunks entirely after the offset; `nil` if the upload has another offset, is complete or
  ///   does not exist.
  func take(_ upload: UploadID, at offset: Int, for writer: String) async throws -> [BlobID]?
  /// Adds a chunk and atomically updates the number of received bytes; returns `false` if another writer has acquired
  /// the upload since, or it does not exist.
  func add(_ piece: StoredChunk, to upload: UploadID, by writer: String, at time: UnixTime) async throws -> Bool
  /// Removes chunks whose blobs have been deleted.
  func remove(_ pieces: [StoredChunk]) async throws
  /// Returns the uploads that have chunks and no file any more.
  func abandonedUploads() async throws -> [UploadID]
}
