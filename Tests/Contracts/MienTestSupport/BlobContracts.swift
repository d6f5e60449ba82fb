public import MienPlatform
internal import Testing

private func named(_ text: String) throws -> BlobID { try #require(BlobID(text)) }

/// Conformance test for ``BlobStore``.
public func checkBlobStore(_ make: () async throws -> some BlobStore) async throws {
  let store = try await make()
  let (one, two) = (try named("b-one"), try named("b-two"))
  #expect(try await store.size(of: one) == nil)
  #expect(try await !store.delete(one))
  let missing = await #expect(throws: StoreError.self) { _ = try await store.read(one, 0..<1) }
  #expect(missing?.code == .missing)

  for (id, bytes) in [(one, Array("hello".utf8)), (two, [])] {
    let writer = try await store.begin(id)
    try await writer.write(bytes)
    _ = try await writer.commit()
  }
  #expect(try await store.size(of: one) == 5)
  #expect(try await store.size(of: two) == 0, "an empty blob exists")
  #expect(try await store.read(one, 0..<5) == Array("hello".utf8))
  #expect(try await store.read(one, 1..<3) == Array("el".utf8))
  #expect(try await store.read(one, 3..<99) == Array("lo".utf8), "a range is clamped to the end of the blob")
  #expect(try await store.read(one, 5..<9) == [])
  #expect(try await store.read(two, 0..<9) == [])

  let draft = try named("b-draft")
  let unfinished = try await store.begin(draft)
  try await unfinished.write([1, 2, 3])
  #expect(try await store.size(of: draft) == nil, "a draft is not visible")
  #expect(try await store.collectGarbage { $0 == one } == 2, "the draft and the unreferenced file")
  #expect(try await store.size(of: one) == 5)
  #expect(try await store.size(of: two) == nil)
  #expect(try await store.collectGarbage { _ in true } == 0)

  #expect(try await store.delete(one))
  #expect(try await store.size(of: one) == nil)
}

/// Conformance test for ``BlobWriter``.
public func checkBlobWriter(_ make: () async throws -> some BlobStore) async throws {
  let store = try await make()
  let id = try named("b-written")
  let writer = try await store.begin(id)
  for piece in [[UInt8]](repeating: [UInt8](repeating: UInt8(ascii: "a"), count: 1000), count: 1000) {
    try await writer.write(piece)
  }
  let written = try await writer.commit()
  #expect(written.size == 1_000_000)
  // Example of FIPS 180-4: one million times the letter a.
  #expect(
    ContentDigest(bytes: written.digest)?.description
      == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  #expect(try await store.read(id, 999_999..<1_000_001) == [UInt8(ascii: "a")])
  let closed = await #expect(throws: StoreError.self) { try await writer.write([1]) }
  #expect(closed?.code == .unavailable)
  await writer.discard()
  #expect(try await store.size(of: id) == 1_000_000, "a committed blob cannot be aborted")

  let second = try await store.begin(id)
  try await second.write([7])
  let taken = await #expect(throws: StoreError.self) { _ = try await second.commit() }
  #expect(taken?.code == .duplicate)
  #expect(try await store.size(of: id) == 1_000_000, "an existing blob is not overwritten")

  let plain = try await store.begin(try named("b-plain"), isDigested: false)
  try await plain.write([1, 2, 3])
  let undigested = try await plain.commit()
  #expect(undigested.size == 3)
  #expect([[], ContentDigest(of: [1, 2, 3]).bytes].contains(undigested.digest), "no digest, or the correct one")

  let gone = try named("b-gone")
  let third = try await store.begin(gone)
  try await third.write([7])
  await third.discard()
  await third.discard()
  let discarded = await #expect(throws: StoreError.self) { _ = try await third.commit() }
  #expect(discarded?.code == .unavailable)
  #expect(try await store.size(of: gone) == nil)
  #expect(try await store.collectGarbage { _ in true } == 0, "no draft remains")
}

/// Conformance test for ``BlobStore`` implementations that can overwrite the beginning of blobs.
///
/// - Parameter size: size of a blob; large enough for more than one part in stores with multipart uploads.
public func checkBlobOverwriting(_ store: some BlobStore, size: Int) async throws {
  let id = try named("b-overwritten")
  let missing = await #expect(throws: StoreError.self) { try await store.overwrite(id, beginningWith: [1]) }
  #expect(missing?.code == .missing)
  let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  let writer = try await store.begin(id)
  try await writer.write(bytes)
  _ = try await writer.commit()
  let head = [UInt8](repeating: 200, count: 72)
  for _ in 0..<2 {
    try await store.overwrite(id, beginningWith: head)
    #expect(try await store.size(of: id) == size)
    #expect(try await store.read(id, 0..<size) == head + bytes.dropFirst(72))
  }
  await #expect(throws: StoreError.self) {
    try await store.overwrite(id, beginningWith: [UInt8](repeating: 1, count: 513))
  }
  await #expect(throws: StoreError.self) {
    try await store.overwrite(id, beginningWith: [UInt8](repeating: 1, count: size + 1))
  }
  #expect(try await store.read(id, 0..<size) == head + bytes.dropFirst(72), "a rejected overwrite writes nothing")
  #expect(try await store.delete(id))
}

extension BlobStore {
  /// Collects garbage with a predicate for single blobs.
  public func collectGarbage(keeping isWanted: @Sendable (BlobID) -> Bool) async throws -> Int {
    try await collectGarbage { (asked: [BlobID]) in
      #expect(asked.count <= BlobID.mostAsked)
      return Set(asked.filter(isWanted))
    }
  }
}
