import MienTestGenerators
import Foundation
import MienBlobs
import MienCore
import MienPlatform
import MienScanService
import MienSecurity
import MienStore
import MienTestSupport
import Testing

@Suite struct `Upload store` {
  private func inFolder(_ work: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-shared-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await work(folder)
  }

  private static func name() -> BlobID {
    guard let id = BlobID("b" + UUID().uuidString) else { preconditionFailure("a name of a file") }
    return id
  }

  private func uploads(_ pieces: MemoryPieces, _ folder: URL) throws -> UploadStore {
    UploadStore(
      pieces, blobs: try FileBlobStore(folder.appendingPathComponent("blobs").path), clock: ManualClock()
    ) { Self.name() }
  }

  private func read(_ id: UploadID, _ range: Range<Int>, of uploads: UploadStore) async throws -> [UInt8] {
    try await uploads.file(id).read(range)
  }

  private func files(_ folder: URL) throws -> [String] {
    try FileBlobStore.paths(in: folder.appendingPathComponent("blobs").path)
  }

  private let id = UploadID("upl_00000000000000000000000000000001")

  @Test func `uploads continue at stored offsets and later bytes are truncated`() async throws {
    let id = try #require(id)
    try await inFolder { folder in
      let store = try uploads(MemoryPieces(isLenient: true), folder)
      let missing = await #expect(throws: StoreError.self) { _ = try await store.open(id, at: 3) }
      #expect(missing?.code == .missing)
      let first = try await store.open(id, at: 0)
      for bytes in [[1, 2], [3, 4]] as [[UInt8]] {
        try await first.write(bytes)
        try await first.synchronize()
      }
      await first.close()
      await #expect(throws: StoreError.self) { try await first.write([1]) }
      let short = await #expect(throws: StoreError.self) { _ = try await store.open(id, at: 5) }
      #expect(short?.code == .missing)
      let second = try await store.open(id, at: 1)
      #expect(try await read(id, 0..<9, of: store) == [1])
      #expect(try files(folder).count == 1)
      try await second.write([9])
      try await second.synchronize()
      await second.close()
      #expect(try await read(id, 1..<3, of: store) == [9])
      #expect(try await read(id, 2..<3, of: store) == [])
    }
  }

  @Test func `uploads continue on another server byte for byte`() async throws {
    let id = try #require(id)
    try await inFolder { folder in
      let pieces = MemoryPieces()
      let servers = [try uploads(pieces, folder), try uploads(pieces, folder)]
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
        #expect(try await read(id, 0..<Int.max, of: server) == sent)
        #expect(try await read(id, 900..<4000, of: server) == Array(sent[900..<4000]))
      }
      #expect(try files(folder).count == 7)
      for _ in 0..<2 {
        try await servers[1].delete([id])
        #expect(try files(folder).isEmpty)
      }
    }
  }

  @Test func `a server stores nothing more if the client continued on another one`() async throws {
    let id = try #require(id)
    try await inFolder { folder in
      let pieces = MemoryPieces()
      let (first, second) = (try uploads(pieces, folder), try uploads(pieces, folder))
      let slow = try await first.open(id, at: 0)
      try await slow.write([1, 1, 1])
      let quick = try await second.open(id, at: 0)
      try await quick.write([2])
      try await quick.synchronize()
      await #expect { try await slow.synchronize() } throws: { ($0 as? ServiceError)?.code == .uploadBusy }
      try await quick.write([3])
      try await quick.synchronize()
      #expect(try await read(id, 0..<9, of: first) == [2, 3])
      #expect(try files(folder).count == 2, "a late upload left no file")
      await #expect { _ = try await first.open(id, at: 1) } throws: { ($0 as? ServiceError)?.code == .offsetMismatch }
    }
  }

  @Test func `a failing database leaves no file and keeps stored bytes`() async throws {
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
      #expect(try await read(id, 0..<9, of: uploads) == [2], "the reply was lost, not the stored data")
    }
  }

  /// The service on an encrypted store: complete, aborted, checksum-failing and crashing requests.
  @Test(arguments: 1...3)
  func `uploads complete through requests of every kind`(seed: UInt64) async throws {
    try await inFolder { folder in
      var generator = SplitMixGenerator(seed: seed)
      let bytes = (0..<10_000_007).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let store = try SQLiteStore(path: folder.path + "/mien.sqlite")
      let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 1, count: 32)))
      func start() throws -> ScanService {
        ScanService(
          store: store,
          blobs: EncryptedBlobStore(try FileBlobStore(folder.path + "/blobs"), keyring: keyring) { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
          }, clock: ManualClock(), settings: ScanSettings(),
          processor: ScriptedScanProcessor(),
          generator: SystemRandomNumberGenerator())
      }
      var service = try start()
      let scan = try await service.create(
        [ScanService.Announced(name: "a.bin", bytes: bytes.count, type: nil)], subject: nil, label: nil, kind: .object,
        photosExpected: 0, owner: nil
      ).scan
      let upload = try #require(scan.files.first?.upload).text
      var rounds = 0
      while case let offset = try await service.upload(upload).offset, offset < bytes.count, rounds < 200 {
        rounds += 1
        let end = min(offset + Int.random(in: 1...6 << 20, using: &generator), bytes.count)
        let kind = Int.random(in: 0..<5, using: &generator)
        let sums = [1: ContentDigest(of: []).bytes, 4: ContentDigest(of: Array(bytes[offset..<end])).bytes]
        let piece = try await service.begin(
          upload, at: offset, announced: nil,
          checksum: sums[kind].map { UploadChecksum(algorithm: .sha256, bytes: $0) })
        var place = offset
        while place < end {
          let next = min(place + Int.random(in: 1...70_000, using: &generator), end)
          try await piece.take(Array(bytes[place..<next]))
          place = next
        }
        switch kind {
        case 0: service = try start()
        case 1: await #expect(throws: ServiceError.self) { _ = try await service.end(piece) }
        case 2: await service.breakOff(piece)
        default: #expect(try await service.end(piece) == end)
        }
      }
      // If the last request was aborted at the very end, submitting completes it.
      _ = try await service.submit(scan.id.text)
      let file = try #require(try await service.scan(scan.id.text).files.first)
      #expect(file.isWhole && file.digest == ContentDigest(of: bytes), "after \(rounds) requests")
      let stored = try await service.open(file)
      for _ in 0..<50 {
        let start = Int.random(in: 0..<bytes.count, using: &generator)
        let range = start..<start + Int.random(in: 1...200_000, using: &generator)
        #expect(try await stored.read(range) == Array(bytes[range.clamped(to: 0..<bytes.count)]))
      }
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

  func add(_ piece: StoredChunk, to upload: UploadID, by writer: String, at _: UnixTime) throws -> Bool {
    defer { failing = nil }
    guard writers[upload] == writer else { return false }
    if failing != false { kept[upload, default: []].append(piece) }
    if failing != nil { throw StoreError(.unavailable, reason: "The database is away.") }
    return true
  }

  func remove(_ pieces: [StoredChunk]) { for id in kept.keys { kept[id]?.removeAll { pieces.contains($0) } } }

  func abandonedUploads() -> [UploadID] { [] }
}
