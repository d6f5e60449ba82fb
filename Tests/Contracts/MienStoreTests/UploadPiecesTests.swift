import MienPlatform
import MienScanService
import MienTestSupport
import Testing

@testable import MienStore

@Suite(.enabled(if: PostgresServer.isInstalled)) struct `Upload chunks on PostgreSQL` {
  private func openTwoServers() async throws -> (PostgresStore, PostgresStore) {
    let address = try PostgresServer.shared.get().address()
    return (try await PostgresStore(address, server: "first"), try await PostgresStore(address, server: "second"))
  }

  @Test func `conforms to the upload chunk contract with two servers`() async throws {
    try await checkUploadPieceStore { try await openTwoServers() }
  }

  @Test func `chunks are truncated to the recorded offset`() async throws {
    let (store, _) = try await openTwoServers()
    let id = try #require(UploadID("upl_00000000000000000000000000000002"))
    let time = UnixTime(milliseconds: 5000)
    let file = ScanRecord.File(name: "a.bin", bytes: 10, received: 0, type: "x", upload: id)
    try await store.save(
      ScanRecord(
        id: #require(ScanID("scn_00000000000000000000000000000002")), kind: .face, photosExpected: 3, created: time,
        changed: time, status: .uploading, files: [file]), owner: nil, request: nil)
    _ = try await store.take(id, at: 0, for: "one")
    let pieces = try [0..<4, 4..<8].map { StoredChunk(range: $0, blob: try #require(BlobID("b-\($0.lowerBound)"))) }
    for piece in pieces { #expect(try await store.add(piece, to: id, by: "one", at: time)) }
    // As in a database restored to an offset older than its chunks.
    _ = try await store.write("Test") { db in
      try db.change("UPDATE mien.scan_file SET received = 3 WHERE upload = $1", [id.text])
    }
    #expect(try await store.take(id, at: 3, for: "two") == [pieces[1].blob])
    #expect(try await store.pieces(of: id) == [StoredChunk(range: 0..<3, blob: pieces[0].blob)])
  }
}
