/// Some bytes of an upload, in a file of their own that every server finds.
public struct StoredChunk: Hashable, Sendable {
  /// Which bytes of the upload they are; never empty. The file may have more, which do not count.
  public let range: Range<Int>
  public let blob: BlobID

  public init(range: Range<Int>, blob: BlobID) {
    self.range = range
    self.blob = blob
  }
}

/// Knows of which pieces uploads consist, for several servers that take them in.
///
/// Whoever took an upload last may add to it, and nobody else: a server whose sender went on elsewhere keeps nothing more.
public protocol UploadPieceStore: Sendable {
  /// The pieces of an upload, in order and without gaps.
  func pieces(of upload: UploadID) async throws -> [StoredChunk]
  /// Takes an upload that is at `offset`; what pieces hold behind it is cut off.
  ///
  /// - Parameter writer: a name that no other taking has.
  /// - Returns: the files of pieces that are wholly behind it; nil when the upload is elsewhere, whole or gone.
  func take(_ upload: UploadID, at offset: Int, for writer: String) async throws -> [BlobID]?
  /// Adds a piece, and notes in the same moment that so many bytes were received; false when somebody else took the upload since, or it is
  /// gone.
  func add(_ piece: StoredChunk, to upload: UploadID, by writer: String) async throws -> Bool
  /// Forgets pieces, whose files are gone.
  func forget(_ pieces: [StoredChunk], of upload: UploadID) async throws
  /// Uploads that have pieces.
  func uploadsInPieces() async throws -> [UploadID]
}
