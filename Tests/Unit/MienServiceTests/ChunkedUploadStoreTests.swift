import Foundation
import MienBlobs
import MienService
import MienTestSupport
import Testing

@Suite struct `Uploads that several servers take in` {
  private func inFolder(_ work: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-shared-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await work(folder)
  }

  private static func name() -> BlobID {
    guard let id = BlobID("b" + UUID().uuidString) else { preconditionFailure("a name of a file") }
    return id
  }

  private func uploads(_ pieces: MemoryPieces, _ folder: URL, own: String = "own") throws -> ChunkedUploadStore {
    ChunkedUploadStore(
      pieces, blobs: try FileBlobStore(folder.appendingPathComponent("blobs").path),
      own: try FileUploadStore(folder.appendingPathComponent(own).path), makeName: Self.name)
  }

  private func files(_ folder: URL) throws -> [String] {
    try FileBlobStore.paths(in: folder.appendingPathComponent("blobs").path)
  }

  private let id = UploadID("upl_00000000000000000000000000000001")

  @Test func `keep the contract of shelves`() async throws {
    try await inFolder { folder in try await checkUploadStore { try uploads(MemoryPieces(isLenient: true), folder) } }
  }

  @Test func `keep the contract of writers`() async throws {
    try await inFolder { folder in try await checkUploadWriter { try uploads(MemoryPieces(), folder) } }
  }

  @Test func `go on at another server, byte for byte`() async throws {
    let id = try #require(id)
    try await inFolder { folder in
      let pieces = MemoryPieces()
      let servers = [try uploads(pieces, folder, own: "a"), try uploads(pieces, folder, own: "b")]
      var sent: [UInt8] = []
      for turn in 0..<7 {
        let writer = try await servers[turn % 2].open(id, at: sent.count)
        let some = (0..<(turn * 1000 + 1)).map { UInt8(truncatingIfNeeded: $0 * 7 + turn) }
        try await writer.write(Array(some.prefix(500)))
        try await writer.write(Array(some.dropFirst(500)))
        try await writer.synchronize()
        sent += some
        // Unacknowledged bytes are lost with the server.
        try await writer.write([1, 2, 3])
        await writer.close()
      }
      for server in servers {
        #expect(try await server.read(id, 0..<Int.max) == sent)
        #expect(try await server.read(id, 900..<4000) == Array(sent[900..<4000]))
      }
      #expect(try files(folder).count == 7)
      #expect(try await servers[1].delete(id))
      #expect(try files(folder).isEmpty)
      #expect(try await !servers[0].delete(id))
    }
  }

  @Test func `a server whose sender went on elsewhere keeps nothing more`() async throws {
    let id = try #require(id)
    try await inFolder { folder in
      let pieces = MemoryPieces()
      let (first, second) = (try uploads(pieces, folder, own: "a"), try uploads(pieces, folder, own: "b"))
      let slow = try await first.open(id, at: 0)
      try await slow.write([1, 1, 1])
      let quick = try await second.open(id, at: 0)
      try await quick.write([2])
      try await quick.synchronize()
      await #expect { try await slow.synchronize() } throws: { ($0 as? ServiceError)?.code == .uploadBusy }
      try await quick.write([3])
      try await quick.synchronize()
      #expect(try await first.read(id, 0..<9) == [2, 3])
      #expect(try files(folder).count == 2, "what came too late left no file")
      await #expect { _ = try await first.open(id, at: 1) } throws: { ($0 as? ServiceError)?.code == .offsetMismatch }
    }
  }

  @Test func `one that began before there were pieces goes on where it lies`() async throws {
    let id = try #require(id)
    try await inFolder { folder in
      let old = try FileUploadStore(folder.appendingPathComponent("own").path)
      let writer = try await old.open(id, at: 0)
      try await writer.write([5, 6])
      try await writer.synchronize()
      await writer.close()
      let uploads = try uploads(MemoryPieces(), folder)
      let more = try await uploads.open(id, at: 2)
      try await more.write([7])
      try await more.synchronize()
      await more.close()
      #expect(try await uploads.read(id, 0..<9) == [5, 6, 7])
      #expect(try await uploads.delete(id))
      await #expect(throws: StoreError.self) { _ = try await uploads.read(id, 0..<9) }
    }
  }

  @Test func `a database that fails leaves no file, and keeps what it has kept`() async throws {
    let id = try #require(id)
    try await inFolder { folder in
      let pieces = MemoryPieces()
      let uploads = try uploads(pieces, folder)
      let writer = try await uploads.open(id, at: 0)
      try await writer.write([1])
      await pieces.fail(keeping: false)
      await #expect(throws: StoreError.self) { try await writer.synchronize() }
      #expect(try files(folder).isEmpty)
      let again = try await uploads.open(id, at: 0)
      try await again.write([2])
      await pieces.fail(keeping: true)
      await #expect(throws: StoreError.self) { try await again.synchronize() }
      #expect(try await uploads.read(id, 0..<9) == [2], "its reply was lost, and not what it kept")
    }
  }
}

/// In-memory chunk store for uploads that were not announced.
private actor MemoryPieces: UploadPieceStore {
  private var kept: [UploadID: [StoredChunk]] = [:]
  private var writers: [UploadID: String] = [:]
  /// `true` if the next chunk, whose save fails, is stored anyway.
  private var failing: Bool?
  private let isLenient: Bool

  /// - Parameter isLenient: `true` to accept writes before the current offset, as the conformance test requires.
  init(isLenient: Bool = false) { self.isLenient = isLenient }

  func fail(keeping: Bool) { failing = keeping }

  func pieces(of upload: UploadID) -> [StoredChunk] { kept[upload] ?? [] }

  func take(_ upload: UploadID, at offset: Int, for writer: String) -> [BlobID]? {
    let pieces = kept[upload] ?? []
    guard isLenient || offset == pieces.last?.range.upperBound ?? 0 else { return nil }
    writers[upload] = writer
    kept[upload] = pieces.filter { $0.range.lowerBound < offset }.map { piece in
      StoredChunk(range: piece.range.lowerBound..<min(piece.range.upperBound, offset), blob: piece.blob)
    }
    return pieces.filter { $0.range.lowerBound >= offset }.map(\.blob)
  }

  func add(_ piece: StoredChunk, to upload: UploadID, by writer: String) throws -> Bool {
    defer { failing = nil }
    guard writers[upload] == writer else { return false }
    if failing != false { kept[upload, default: []].append(piece) }
    if failing != nil { throw StoreError(.unavailable, reason: "The database is away.") }
    return true
  }

  func remove(_ pieces: [StoredChunk], of upload: UploadID) {
    kept[upload]?.removeAll { pieces.contains($0) }
    if kept[upload]?.isEmpty == true { kept[upload] = nil }
  }

  func uploadsInPieces() -> [UploadID] { Array(kept.keys) }
}
