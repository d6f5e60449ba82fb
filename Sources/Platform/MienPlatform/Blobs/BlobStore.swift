internal import MienCore

/// Identifies a blob: 1 to 64 characters of `A–Z a–z 0–9 - _`.
public struct BlobID: Hashable, Sendable, CustomStringConvertible {
  /// Maximum number of blobs in one database query for references to them.
  public static let mostAsked = 500

  public let text: String

  /// Returns `nil` if the text is empty, too long or contains another character.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text) else { return nil }
    self.text = text
  }

  /// Creates a new ID from 192 random bits.
  public init(using generator: inout some RandomNumberGenerator) {
    text = RandomTokens.make(prefix: "b", count: 32, using: &generator)
  }

  public var description: String { text }
}

extension BlobID: Codable {
  public init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    guard let id = BlobID(try box.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: box, debugDescription: "no name of a blob")
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(text)
  }
}

/// Size and digest of a completely written blob.
public struct BlobInfo: Hashable, Sendable {
  /// Size in bytes.
  public let size: Int
  /// SHA-256 of the blob, 32 bytes; empty if the blob was begun without a digest.
  public let digest: [UInt8]

  public init(size: Int, digest: [UInt8]) {
    self.size = size
    self.digest = digest
  }
}

/// Stores files of any size outside the database.
///
/// A blob exists completely or not at all, and committed blobs survive a crash of the process and a power failure.
public protocol BlobStore: Sendable {
  /// Begins a blob that is invisible until ``BlobWriter/commit()``.
  func begin(_ id: BlobID) async throws -> any BlobWriter
  /// Begins a blob that is invisible until ``BlobWriter/commit()``; if `isDigested` is `false`, the digest need not be
  /// computed.
  func begin(_ id: BlobID, isDigested: Bool) async throws -> any BlobWriter
  /// Runs work that writes a lot of data on a thread that may wait for this store, which avoids thread switches; by
  /// default on the current thread.
  func nearby<Value>(_ work: () async throws -> Value) async throws -> Value
  /// Returns the size in bytes; `nil` if there is no such blob.
  func size(of id: BlobID) async throws -> Int?
  /// Returns a range of the bytes, clamped to the end of the blob. Throws ``StoreError/Code/missing`` if there is no
  /// such blob.
  func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8]
  /// Overwrites the first bytes with the same number of others, at most 512, atomically even in a crash. Throws
  /// ``StoreError/Code/missing`` if there is no such blob. Only call it while nothing else writes to the store.
  func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws
  /// Deletes a blob; returns `false` if there was none.
  func delete(_ id: BlobID) async throws -> Bool
  /// Deletes blobs that were begun and not committed, and those that `wanted` does not return; passes it at most
  /// ``BlobID/mostAsked`` at a time. Returns how many were deleted. Only call it while nothing is being written.
  func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int
}

extension BlobStore {
  public func begin(_ id: BlobID, isDigested _: Bool) async throws -> any BlobWriter { try await begin(id) }

  public func nearby<Value>(_ work: () async throws -> Value) async throws -> Value { try await work() }
}

/// Writes one blob with memory use independent of its size. Used by one task at a time.
public protocol BlobWriter: Sendable {
  /// Appends bytes; returns when they are no longer needed.
  func write(_ bytes: [UInt8]) async throws
  /// Makes the blob durable and visible. Throws ``StoreError/Code/duplicate`` if the ID is taken; nothing is stored
  /// then.
  func commit() async throws -> BlobInfo
  /// Deletes what was written; does nothing after ``commit()``.
  func discard() async
}

/// A blob that is being written.
public struct PendingBlob: Sendable {
  public let blob: BlobID
  public let writer: any BlobWriter

  package init(blob: BlobID, writer: any BlobWriter) {
    self.blob = blob
    self.writer = writer
  }
}

/// Identifier of a resumable upload.
public struct UploadID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is not a valid upload ID.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text, prefixes: ["upl_", "upltest_"]) else { return nil }
    self.text = text
  }

  package init(of realm: Realm, using generator: inout some RandomNumberGenerator) {
    text = RandomTokens.make(prefix: realm == .live ? "upl_" : "upltest_", count: 32, using: &generator)
  }

  public var description: String { text }
}
