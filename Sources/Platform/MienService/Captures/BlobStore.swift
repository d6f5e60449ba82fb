/// Names a blob: 1 to 64 characters of `A–Z a–z 0–9 - _`.
public struct BlobID: Hashable, Sendable, CustomStringConvertible {
  /// Of how many at a time a database is asked whether anything names them.
  public static let mostAsked = 500

  public let text: String

  /// Refuses (nil) what is empty, too long or has another character.
  public init?(_ text: String) {
    guard CaptureID.isPlain(text) else { return nil }
    self.text = text
  }

  /// A new one of 192 random bits.
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

/// What a blob turned out to be once all of it had come.
public struct BlobInfo: Hashable, Sendable {
  /// In bytes.
  public let size: Int
  /// SHA-256 of its bytes, 32 of them; none of a blob that was begun without.
  public let digest: [UInt8]

  public init(size: Int, digest: [UInt8]) {
    self.size = size
    self.digest = digest
  }
}

/// Keeps files of any size outside the database.
///
/// A blob is there whole or not at all, and what was kept survives the death of the process and a power cut.
public protocol BlobStore: Sendable {
  /// Begins a blob that nobody sees before ``BlobWriter/keep()``.
  func begin(_ id: BlobID) async throws -> any BlobWriter
  /// The same; `isDigested` is false when nobody wants the digest, which then need not be taken.
  func begin(_ id: BlobID, isDigested: Bool) async throws -> any BlobWriter
  /// Does work that writes much where it can wait for this store without changing threads; by default just here.
  func nearby<Value>(_ work: () async throws -> Value) async throws -> Value
  /// Its size in bytes; nil when there is none.
  func size(of id: BlobID) async throws -> Int?
  /// A part of its bytes, cut where it ends. Throws ``StoreError/Code/missing`` when there is no such blob.
  func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8]
  /// Overwrites its first bytes with as many others, at most 512; whole or not at all, whatever dies meanwhile. Throws
  /// ``StoreError/Code/missing`` when there is no such blob. Only while nobody else writes to the store.
  func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws
  /// Forgets it; false when there was none.
  func delete(_ id: BlobID) async throws -> Bool
  /// Forgets blobs that were begun and not kept, and those that `wanted` leaves out of the ones it is asked of, at most
  /// ``BlobID/mostAsked`` at a time; returns how many. Only while nothing is being written.
  func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int
}

extension BlobStore {
  public func begin(_ id: BlobID, isDigested _: Bool) async throws -> any BlobWriter { try await begin(id) }

  public func nearby<Value>(_ work: () async throws -> Value) async throws -> Value { try await work() }
}

/// Writes one blob, in memory that does not grow with it. Used by one task at a time.
public protocol BlobWriter: Sendable {
  /// Appends; returns when the bytes need not be held any longer.
  func write(_ bytes: [UInt8]) async throws
  /// Makes it durable and seen. Throws ``StoreError/Code/duplicate`` when the name is taken; then nothing is kept.
  func commit() async throws -> BlobInfo
  /// Forgets what was written; does nothing after ``keep()``.
  func discard() async
}
