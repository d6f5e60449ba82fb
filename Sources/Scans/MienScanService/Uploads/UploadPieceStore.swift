public import MienPlatform

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
