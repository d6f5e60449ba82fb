internal import MienPlatform
public import MienCaptures
public import MienScanService
internal import Testing

private let time = UnixTime(milliseconds: 5000)

/// Upload ID of the file in ``announce(to:)``'s scan.
private func upload() throws -> UploadID { try #require(UploadID("upl_00000000000000000000000000000001")) }

private func piece(_ range: Range<Int>) throws -> StoredChunk {
  StoredChunk(range: range, blob: try #require(BlobID("b-\(range.lowerBound)-\(range.upperBound)")))
}

/// Creates a scan that waits for one file of ten bytes.
private func announce(to store: some ScanStore) async throws {
  let file = ScanRecord.File(name: "a.bin", bytes: 10, received: 0, type: "x", upload: try upload())
  try await store.save(
    ScanRecord(
      id: #require(ScanID("scn_00000000000000000000000000000001")), kind: .face, photosExpected: 3, created: time,
      changed: time, status: .uploading, files: [file]), owner: nil, request: nil)
}

/// Conformance test for ``UploadPieceStore``.
///
/// - Parameter make: returns two connections to one store, a new one with each call.
public func checkUploadPieceStore<Store: UploadPieceStore & ScanStore & CaptureStore>(
  _ make: () async throws -> (Store, Store)
) async throws {
  try await checkTaking(make())
  try await checkOutliving(make().0)
  try await checkManyAtOnce(make())
}

private func checkTaking<Store: UploadPieceStore & ScanStore & CaptureStore>(_ stores: (Store, Store)) async throws {
  let (first, second, id) = (stores.0, stores.1, try upload())
  try await announce(to: first)
  #expect(try await first.pieces(of: id).isEmpty)
  #expect(try await first.take(id, at: 1, for: "one") == nil, "the offset is wrong")
  #expect(try await first.take(id, at: 0, for: "one") == [])
  #expect(try await !first.add(piece(0..<4), to: id, by: "two", at: time))
  #expect(try await first.add(piece(0..<4), to: id, by: "one", at: time))
  #expect(try await second.upload(id)?.file.received == 4, "the offset is recorded with the chunk")
  #expect(try await !first.add(piece(0..<4), to: id, by: "one", at: time), "once")
  #expect(try await second.take(id, at: 4, for: "two") == [])
  #expect(try await !first.add(piece(4..<7), to: id, by: "one", at: time), "the second server has acquired it")
  #expect(try await second.add(piece(4..<6), to: id, by: "two", at: time))
  #expect(try await first.take(id, at: 4, for: "one") == nil)
  #expect(try await first.pieces(of: id) == [piece(0..<4), piece(4..<6)])
  #expect(try await first.wants(piece(4..<6).blob))
  #expect(try await !first.wants(piece(4..<7).blob))
  try await second.lost(id, at: time)
  #expect(try await first.upload(id)?.file.received == 6, "stored chunks are not lost")
}

private func checkOutliving(_ store: some UploadPieceStore & ScanStore) async throws {
  let id = try upload()
  try await announce(to: store)
  _ = try await store.take(id, at: 0, for: "one")
  #expect(try await store.add(piece(0..<10), to: id, by: "one", at: time))
  let first = try piece(0..<10)
  #expect(try await store.whole(id, type: "x", blob: first.blob, digest: ContentDigest(of: []), at: time))
  #expect(try await store.take(id, at: 10, for: "two") == nil, "nothing is added to a complete upload")
  #expect(try await store.abandonedUploads().isEmpty)
  _ = try await store.deleteUpload(id)
  #expect(try await store.abandonedUploads() == [id], "until their files are deleted")
  try await store.remove(store.pieces(of: id))
  #expect(try await store.abandonedUploads().isEmpty)
}

private func checkManyAtOnce<Store: UploadPieceStore & ScanStore>(_ stores: (Store, Store)) async throws {
  let id = try upload()
  try await announce(to: stores.0)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 0..<4 {
      let store = number.isMultiple(of: 2) ? stores.0 : stores.1
      group.addTask {
        // A writer that loses a race continues at the current offset.
        while let at = try await store.upload(id)?.file.received, at < 10 {
          let name = "w-\(number)-\(at)"
          guard try await store.take(id, at: at, for: name) != nil else { continue }
          let blob = try #require(BlobID("b-\(number)-\(at)"))
          _ = try await store.add(StoredChunk(range: at..<at + 1, blob: blob), to: id, by: name, at: time)
        }
      }
    }
    try await group.waitForAll()
  }
  #expect(try await stores.0.upload(id)?.file.received == 10)
  #expect(try await stores.1.pieces(of: id).map(\.range) == (0..<10).map { $0..<$0 + 1 }, "no gaps and no duplicates")
}
