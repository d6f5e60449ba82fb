/// Identifier of a resumable upload.
public struct UploadID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is not a valid upload ID.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text, prefixes: ["upl_", "upltest_"]) else { return nil }
    self.text = text
  }

  package init(of space: Realm, using generator: inout some RandomNumberGenerator) {
    text = RandomTokens.make(prefix: space == .live ? "upl_" : "upltest_", count: 32, using: &generator)
  }

  public var description: String { text }
}

/// Stores resumable uploads until they are complete.
public protocol UploadStore: Sendable {
  /// Opens an upload for appending at `offset` bytes; later bytes are truncated. A new upload is created.
  ///
  /// - Parameter offset: 0, or the end of a synchronized write. Offsets within a single write need not be supported.
  /// - Throws: ``StoreError`` with `missing` if there are fewer bytes, or the offset is not supported.
  func open(_ id: UploadID, at offset: Int) async throws -> any UploadWriter
  /// Reads a range of its bytes, truncated at its end.
  func read(_ id: UploadID, _ range: Range<Int>) async throws -> [UInt8]
  /// Deletes an upload; returns `false` if there was none.
  func delete(_ id: UploadID) async throws -> Bool
  /// Deletes all uploads for which `isWanted` returns `false`. Must not run while bytes are being received.
  func collectGarbage(keeping isWanted: @Sendable (UploadID) async throws -> Bool) async throws -> Int
}

/// Appends to one file. Must be used by one task at a time.
public protocol UploadWriter: Sendable {
  func write(_ bytes: [UInt8]) async throws
  /// Returns once all written bytes would survive a power failure.
  func synchronize() async throws
  func close() async
}
