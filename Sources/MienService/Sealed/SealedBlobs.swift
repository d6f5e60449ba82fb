internal import Crypto

/// Keeps blobs encrypted in another store: whoever has the disk and not the seal has noise.
///
/// Each blob has a key of its own, which stands at its head, wrapped under a key of the seal. What follows is AES-256-GCM in
/// chunks (Documentation/Formats/SealedBlob.md), so that a part can be read without the rest; chunks cannot be changed, moved,
/// left out at the end or put into another blob. Blobs from before there was encryption are read as they are.
public struct SealedBlobs: BlobStore {
  private let store: any BlobStore
  private let seal: Seal
  private let random: @Sendable (Int) -> [UInt8]

  /// - Parameters:
  ///   - store: keeps what is encrypted.
  ///   - random: as many unguessable bytes as it is asked for.
  public init(_ store: any BlobStore, seal: Seal, random: @escaping @Sendable (Int) -> [UInt8]) {
    self.store = store
    self.seal = seal
    self.random = random
  }

  public func begin(_ id: BlobID) async throws -> any BlobWriter {
    let head = SealedBlobHead(key: random(32))
    let writer = try await store.begin(id)
    do {
      try await writer.write(head.bytes(of: id, under: seal, nonce: random(12)))
    } catch {
      await writer.discard()
      throw error
    }
    return SealedBlobWriter(writer, chunks: SealedChunks(key: head.key))
  }

  public func size(of id: BlobID) async throws -> Int? {
    guard let size = try await store.size(of: id) else { return nil }
    return try await isSealed(id, size) ? SealedChunks.plainSize(of: size - SealedBlobHead.size) : size
  }

  public func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] {
    guard let size = try await store.size(of: id) else {
      throw StoreError(.missing, reason: "There is no such file.")
    }
    guard try await isSealed(id, size) else { return try await store.read(id, range) }
    let bytes = try await store.read(id, 0..<SealedBlobHead.size)
    guard let head = SealedBlobHead(bytes, of: id, under: seal),
      let plainSize = SealedChunks.plainSize(of: size - SealedBlobHead.size)
    else { throw Self.damaged }
    let wanted = max(0, min(range.lowerBound, plainSize))..<max(0, min(range.upperBound, plainSize))
    guard !wanted.isEmpty else { return [] }
    let places = wanted.lowerBound / SealedChunks.plain...(wanted.upperBound - 1) / SealedChunks.plain
    let start = SealedBlobHead.size + places.lowerBound * SealedChunks.sealed
    let end = min(size, SealedBlobHead.size + (places.upperBound + 1) * SealedChunks.sealed)
    let sealed = try await store.read(id, start..<end)
    let chunks = SealedChunks(key: head.key)
    let last = (plainSize - 1) / SealedChunks.plain
    var plain: [UInt8] = []
    plain.reserveCapacity((places.count) * SealedChunks.plain)
    for place in places {
      let from = (place - places.lowerBound) * SealedChunks.sealed
      guard from < sealed.count,
        let opened = chunks.open(
          sealed[from..<min(from + SealedChunks.sealed, sealed.count)], at: place, isLast: place == last)
      else { throw Self.damaged }
      plain += opened
    }
    let origin = places.lowerBound * SealedChunks.plain
    guard wanted.upperBound - origin <= plain.count else { throw Self.damaged }
    return Array(plain[(wanted.lowerBound - origin)..<(wanted.upperBound - origin)])
  }

  public func erase(_ id: BlobID) async throws -> Bool { try await store.erase(id) }

  public func sweep(keeping isWanted: @Sendable (BlobID) async throws -> Bool) async throws -> Int {
    try await store.sweep(keeping: isWanted)
  }

  private func isSealed(_ id: BlobID, _ size: Int) async throws -> Bool {
    guard size >= SealedBlobHead.size else { return false }
    return try await store.read(id, 0..<SealedBlobHead.magic.count) == SealedBlobHead.magic
  }

  private static var damaged: StoreError {
    StoreError(
      .unavailable, reason: "A file does not open with the server's seal. Restore the file or the seal from the backup."
    )
  }
}

/// Seals what is written, chunk by chunk; the last one when the blob is kept.
private actor SealedBlobWriter: BlobWriter {
  private let writer: any BlobWriter
  private let chunks: SealedChunks
  private var waiting: [UInt8] = []
  private var place = 0
  private var size = 0
  private var hash = SHA256()
  private var isClosed = false

  init(_ writer: any BlobWriter, chunks: SealedChunks) {
    self.writer = writer
    self.chunks = chunks
  }

  func write(_ bytes: [UInt8]) async throws {
    guard !isClosed else { throw Self.closed }
    hash.update(data: bytes)
    size += bytes.count
    waiting += bytes
    var sealed: [UInt8] = []
    var taken = 0
    // A whole chunk stays back: it may turn out to be the last.
    while waiting.count - taken > SealedChunks.plain {
      sealed += chunks.seal(waiting[taken..<taken + SealedChunks.plain], at: place, isLast: false)
      place += 1
      taken += SealedChunks.plain
    }
    guard taken > 0 else { return }
    waiting.removeFirst(taken)
    try await writer.write(sealed)
  }

  func keep() async throws -> WrittenBlob {
    guard !isClosed else { throw Self.closed }
    isClosed = true
    try await writer.write(chunks.seal(waiting[...], at: place, isLast: true))
    waiting = []
    _ = try await writer.keep()
    return WrittenBlob(size: size, digest: Array(hash.finalize()))
  }

  func discard() async {
    isClosed = true
    waiting = []
    await writer.discard()
  }

  private static var closed: StoreError { StoreError(.unavailable, reason: "The file has been closed.") }
}
