/// Keeps files that come in pieces until they are whole.
public protocol UploadStore: Sendable {
  /// Goes on with a file at `offset` bytes; what lies behind is cut off. A file that begins is made.
  ///
  /// - Parameter offset: 0, or where a write ended that was synchronised. Within what one write brought a shelf need not be able to
  ///   go on.
  /// - Throws: ``StoreError`` with `missing` when there are fewer bytes, or none can be gone on with there.
  func open(_ id: UploadID, at offset: Int) async throws -> any UploadWriter
  /// A part of its bytes, cut where it ends.
  func read(_ id: UploadID, _ range: Range<Int>) async throws -> [UInt8]
  /// Forgets it; false when there was none.
  func delete(_ id: UploadID) async throws -> Bool
  /// Forgets all that `isWanted` does not know. Only while nothing comes in.
  func collectGarbage(keeping isWanted: @Sendable (UploadID) async throws -> Bool) async throws -> Int
}

/// Appends to one file. Used by one task at a time.
public protocol UploadWriter: Sendable {
  func write(_ bytes: [UInt8]) async throws
  /// Returns when all that was written would survive a power cut.
  func synchronize() async throws
  func close() async
}
