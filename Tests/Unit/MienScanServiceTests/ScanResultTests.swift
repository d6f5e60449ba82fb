import MienTestGenerators
import Foundation
import MienBlobs
import MienScanFormat
import MienCore
import MienPlatform
import MienSecurity
import MienScanService
import MienStore
import MienTestSupport
import Synchronization
import Testing

/// Records the sizes of written chunks.
private final class Watch: Sendable {
  private let sizes = Mutex<[Int]>([])

  func process(_ size: Int) { sizes.withLock { $0.append(size) } }

  /// Returns all sizes since the last call.
  func taken() -> [Int] {
    sizes.withLock { sizes in
      defer { sizes = [] }
      return sizes
    }
  }
}

/// Encrypted blob store, as used by a server, that records writes.
private struct WatchedBlobs: BlobStore {
  let store: EncryptedBlobStore
  let watch: Watch

  func begin(_ id: BlobID) async throws -> any BlobWriter {
    WatchedWriter(writer: try await store.begin(id), watch: watch)
  }

  func size(of id: BlobID) async throws -> Int? { try await store.size(of: id) }
  func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] { try await store.read(id, range) }
  func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    try await store.overwrite(id, beginningWith: head)
  }
  func delete(_ id: BlobID) async throws -> Bool { try await store.delete(id) }
  func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    try await store.collectGarbage(keeping: wanted)
  }
}

private struct WatchedWriter: BlobWriter {
  let writer: any BlobWriter
  let watch: Watch

  func write(_ bytes: [UInt8]) async throws {
    watch.process(bytes.count)
    try await writer.write(bytes)
  }

  func commit() async throws -> BlobInfo { try await writer.commit() }
  func discard() async { await writer.discard() }
}

private struct Bench {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-results-\(UUID())").path
  let watch = Watch()
  let service: ScanService

  init(work: @escaping @Sendable (ScanProcessingJob) async throws -> ScanReport) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 1, count: 32)))
    let sealed = EncryptedBlobStore(try FileBlobStore(folder + "/blobs"), keyring: keyring) {
      [UInt8](repeating: 7, count: $0)
    }
    service = ScanService(
      store: try SQLiteStore(path: folder + "/mien.sqlite"), blobs: WatchedBlobs(store: sealed, watch: watch),
      clock: ManualClock(), settings: ScanSettings(),
      processor: ScriptedScanProcessor(work),
      generator: SystemRandomNumberGenerator())
  }

  /// Submits a scan of one file.
  func send() async throws -> String {
    let file = try await service.begin()
    try await file.writer.write([1, 2, 3])
    var draft = ScanDraft()
    draft.files = [ScanDraft.Part(name: "a.bin", type: "application/octet-stream", file: file)]
    let scan = try await service.take(draft, owner: nil)
    _ = watch.taken()
    return scan.id.text
  }

  func kept() throws -> Int { try FileBlobStore.paths(in: folder + "/blobs").count }

  func drafts() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/blobs/drafts").count
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

@Suite struct `Scan results` {
  /// Returns random depth maps, so that all frames have similar sizes.
  private func frames(_ header: ScanHeader, count: Int) throws -> [ScanFrame] {
    var generator = SplitMixGenerator(seed: 6)
    return try (0..<count).map { number in
      let depth = (0..<header.area).map { _ in UInt16.random(in: 500...1500, using: &generator) }
      return try #require(
        ScanFrame(
          width: header.width, height: header.height, depth: depth, confidence: nil, pose: nil,
          intrinsics: PinholeIntrinsics(fx: 60, fy: 60, cx: 32, cy: 24),
          at: MonotonicInstant(nanoseconds: Int64(number) * 33_000_000)))
    }
  }

  @Test func `a bundle streamed frame by frame equals one built in memory`() async throws {
    let header = try #require(
      ScanHeader(
        device: "iPhone 13 Pro", sensor: .lidar, width: 64, height: 48, micrometersPerStep: 1000, world: .unleveled,
        clock: .start))
    let frames = try frames(header, count: 40)
    let fixture = try Bench { job in
      try await job.keep(ScanProcessingJob.bundleName, type: "application/x-mien-scan") { bundle in
        var writer = ScanWriter(header)
        try await bundle.append(writer.start())
        for frame in frames { try await bundle.append(try writer.append(frame)) }
        try await bundle.append(writer.finish())
      }
      return ScanReport()
    }
    defer { fixture.remove() }
    var writer = ScanWriter(header)
    var whole = writer.start()
    for frame in frames { whole += try writer.append(frame) }
    whole += writer.finish()

    let scan = try await fixture.send()
    #expect(try await fixture.service.workOnNext())
    let pieces = fixture.watch.taken()
    let largest = try #require(pieces.max())
    #expect(pieces.count == 42 && largest < 2 * header.area + 1000 && whole.count > 10 * largest)
    let result = try #require(try await fixture.service.scan(scan).results.first)
    #expect(result.name == ScanProcessingJob.bundleName && result.type == "application/x-mien-scan")
    #expect(result.bytes == whole.count && result.digest == ContentDigest(of: whole))
    #expect(try await fixture.service.open(result).read(0..<whole.count + 9) == whole)
    #expect(try ScanReader(whole).count == 40)
  }

  @Test func `a large result is written in several pieces`() async throws {
    let bytes = (0..<(3 << 20) + 5).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let fixture = try Bench { job in
      try await job.keep("model.stl", type: "model/stl", bytes)
      return ScanReport()
    }
    defer { fixture.remove() }
    let scan = try await fixture.send()
    #expect(try await fixture.service.workOnNext())
    #expect(fixture.watch.taken() == [1 << 20, 1 << 20, 1 << 20, 5])
    let result = try #require(try await fixture.service.scan(scan).results.first)
    #expect(result.bytes == bytes.count && result.digest == ContentDigest(of: bytes))
    #expect(try await fixture.service.open(result).read(0..<bytes.count) == bytes)
  }

  @Test func `a failed result leaves nothing behind`() async throws {
    let fixture = try Bench { job in
      try await job.keep("whole", type: "text/plain", [1])
      try await job.keep("half", type: "text/plain") { file in
        try await file.append([UInt8](repeating: 1, count: 200_000))
        throw ScanProcessingError(code: "damaged", detail: "frame 3 is damaged")
      }
      return ScanReport()
    }
    defer { fixture.remove() }
    let scan = try await fixture.send()
    #expect(try await fixture.service.workOnNext())
    let failed = try await fixture.service.scan(scan)
    #expect(failed.status == .failed && failed.problem?.code == "damaged" && failed.results.isEmpty)
    #expect(try fixture.kept() == 1 && fixture.drafts() == 0)
  }

  @Test func `a canceled result leaves nothing behind`() async throws {
    let fixture = try Bench { job in
      try await job.keep("half", type: "text/plain") { file in
        try await file.append([UInt8](repeating: 1, count: 200_000))
        // Until it is canceled.
        while true {
          try await job.report(.checking, 0)
          await Task.yield()
        }
      }
      return ScanReport()
    }
    defer { fixture.remove() }
    let scan = try await fixture.send()
    async let worked = fixture.service.workOnNext()
    try await eventually { try fixture.drafts() == 1 }
    #expect(try await fixture.service.scan(scan).results.isEmpty)
    #expect(try await fixture.service.cancel(scan).status == .cancelled)
    #expect(try await worked)
    #expect(try await fixture.service.scan(scan).results.isEmpty)
    #expect(try fixture.kept() == 1 && fixture.drafts() == 0)
  }
}
