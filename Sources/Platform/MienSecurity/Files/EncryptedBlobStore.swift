public import MienPlatform
internal import Crypto

/// Stores blobs encrypted in another store: the stored data is unreadable without the master keyring.
///
/// Each blob has its own key, which is stored in its header, wrapped under a key of the keyring. The content is
/// AES-256-GCM in chunks (Documentation/reference/formats/EncryptedBlob.md), so that a range can be read without the rest; chunks
/// cannot be modified, moved, truncated or transferred to another blob.
public struct EncryptedBlobStore: BlobStore {
  private let store: any BlobStore
  private let keyring: MasterKeyring
  private let random: @Sendable (Int) -> [UInt8]
  /// Number of chunks read and decrypted at once: 4 MB, so that a large file is not in memory twice.
  private static let chunksAtOnce = 64

  /// - Parameters:
  ///   - store: stores the encrypted data.
  ///   - random: returns the requested number of unguessable bytes.
  public init(_ store: any BlobStore, keyring: MasterKeyring, random: @escaping @Sendable (Int) -> [UInt8]) {
    self.store = store
    self.keyring = keyring
    self.random = random
  }

  public func begin(_ id: BlobID) async throws -> any BlobWriter { try await begin(id, isDigested: true) }

  public func begin(_ id: BlobID, isDigested: Bool) async throws -> any BlobWriter {
    let head = EncryptedBlobHeader(key: random(32))
    let writer = try await store.begin(id, isDigested: false)
    do {
      try await writer.write(head.bytes(of: id, under: keyring, nonce: random(12)))
    } catch {
      await writer.discard()
      throw error
    }
    return EncryptedBlobWriter(writer, chunks: ChunkCipher(key: head.key), isDigested: isDigested)
  }

  public func size(of id: BlobID) async throws -> Int? {
    guard let size = try await store.size(of: id) else { return nil }
    guard let plain = ChunkCipher.plainSize(of: size - EncryptedBlobHeader.size) else { throw Self.damaged }
    return plain
  }

  public func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] {
    guard let size = try await store.size(of: id) else {
      throw StoreError(.missing, reason: "There is no such file.")
    }
    guard
      let head = EncryptedBlobHeader(try await store.read(id, 0..<EncryptedBlobHeader.size), of: id, under: keyring),
      let plainSize = ChunkCipher.plainSize(of: size - EncryptedBlobHeader.size)
    else { throw Self.damaged }
    let wanted = max(0, min(range.lowerBound, plainSize))..<max(0, min(range.upperBound, plainSize))
    guard !wanted.isEmpty else { return [] }
    let places = wanted.lowerBound / ChunkCipher.plain...(wanted.upperBound - 1) / ChunkCipher.plain
    let chunks = ChunkCipher(key: head.key)
    let last = (plainSize - 1) / ChunkCipher.plain
    var plain: [UInt8] = []
    plain.reserveCapacity(wanted.count)
    for first in stride(from: places.lowerBound, through: places.upperBound, by: Self.chunksAtOnce) {
      let some = first...min(first + Self.chunksAtOnce - 1, places.upperBound)
      let start = EncryptedBlobHeader.size + first * ChunkCipher.sealed
      let end = min(size, EncryptedBlobHeader.size + (some.upperBound + 1) * ChunkCipher.sealed)
      let sealed = try await store.read(id, start..<end)
      for place in some {
        let from = (place - first) * ChunkCipher.sealed
        guard from < sealed.count,
          let opened = chunks.open(
            sealed[from..<min(from + ChunkCipher.sealed, sealed.count)], at: place, isLast: place == last)
        else { throw Self.damaged }
        let origin = place * ChunkCipher.plain
        let part = max(wanted.lowerBound - origin, 0)..<min(wanted.upperBound - origin, ChunkCipher.plain)
        guard part.upperBound <= opened.count else { throw Self.damaged }
        plain += opened[part]
      }
    }
    return plain
  }

  /// Always throws: the start of a blob is encrypted together with its whole chunk.
  public func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    throw StoreError(.unavailable, reason: "The beginning of an encrypted file cannot be overwritten separately.")
  }

  /// The outcome of rewrapping a blob's key.
  public enum Renewal: Hashable, Sendable {
    case renewed
    /// The key is already under the newest key.
    case asItWas
    /// The key cannot be unwrapped with this keyring.
    case strange
  }

  /// Rewraps a blob's key under the newest key of the keyring.
  public func renew(_ id: BlobID) async throws -> Renewal {
    guard try await store.size(of: id) != nil else { return .asItWas }
    let bytes = try await store.read(id, 0..<EncryptedBlobHeader.size)
    guard !keyring.isNewest(Array(bytes.dropFirst(EncryptedBlobHeader.magic.count)), of: id) else { return .asItWas }
    guard let head = EncryptedBlobHeader(bytes, of: id, under: keyring) else { return .strange }
    try await store.overwrite(id, beginningWith: head.bytes(of: id, under: keyring, nonce: random(12)))
    return .renewed
  }

  public func nearby<Value>(_ work: () async throws -> Value) async throws -> Value { try await store.nearby(work) }

  public func delete(_ id: BlobID) async throws -> Bool { try await store.delete(id) }

  public func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    try await store.collectGarbage(keeping: wanted)
  }

  private static var damaged: StoreError {
    StoreError(
      .unavailable,
      reason: "A file cannot be decrypted with the server's keyring. Restore the file or the keyring from the backup."
    )
  }
}

/// Encrypts written data chunk by chunk, the last one on commit.
private actor EncryptedBlobWriter: BlobWriter {
  private let writer: any BlobWriter
  private let chunks: ChunkCipher
  /// Bytes that are not encrypted yet, at most one chunk.
  private var waiting: [UInt8] = []
  /// Encrypted bytes that are not written yet; the memory is reused.
  private var sealed: [UInt8] = []
  private var place = 0
  private var size = 0
  private var hash: SHA256?
  private var isClosed = false

  init(_ writer: any BlobWriter, chunks: ChunkCipher, isDigested: Bool) {
    self.writer = writer
    self.chunks = chunks
    hash = isDigested ? SHA256() : nil
  }

  func write(_ bytes: [UInt8]) async throws {
    guard !isClosed else { throw Self.closed }
    hash?.update(data: bytes)
    size += bytes.count
    // A whole chunk is held back, since it may be the last.
    var consumed = 0
    if !waiting.isEmpty {
      consumed = min(bytes.count, ChunkCipher.plain - waiting.count)
      waiting += bytes[..<consumed]
      guard consumed < bytes.count else { return }
      seal(waiting[...], isLast: false)
      waiting.removeAll(keepingCapacity: true)
    }
    while bytes.count - consumed > ChunkCipher.plain {
      seal(bytes[consumed..<consumed + ChunkCipher.plain], isLast: false)
      consumed += ChunkCipher.plain
    }
    waiting += bytes[consumed...]
    guard !sealed.isEmpty else { return }
    defer { sealed.removeAll(keepingCapacity: true) }
    try await writer.write(sealed)
  }

  func commit() async throws -> BlobInfo {
    guard !isClosed else { throw Self.closed }
    isClosed = true
    seal(waiting[...], isLast: true)
    try await writer.write(sealed)
    (waiting, sealed) = ([], [])
    _ = try await writer.commit()
    return BlobInfo(size: size, digest: hash.map { Array($0.finalize()) } ?? [])
  }

  private func seal(_ chunk: ArraySlice<UInt8>, isLast: Bool) {
    chunks.seal(chunk, at: place, isLast: isLast, onto: &sealed)
    place += 1
  }

  func discard() async {
    isClosed = true
    (waiting, sealed) = ([], [])
    await writer.discard()
  }

  private static var closed: StoreError { StoreError(.unavailable, reason: "The file has been closed.") }
}
