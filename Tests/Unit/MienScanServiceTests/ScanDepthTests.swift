import MienTestGenerators
import Foundation
import MienBlobs
import MienScanFormat
import MienCore
import MienScanFiles
import MienPlatform
import MienSecurity
import MienScanService
import MienStore
import MienTestSupport
import Synchronization
import Testing

/// Encrypted blob store, as used by a server, that records the ranges read.
private final class CountedBlobs: BlobStore {
  private let store: EncryptedBlobStore
  private let asked = Mutex<[Range<Int>]>([])

  init(_ store: EncryptedBlobStore) { self.store = store }

  /// Returns the ranges read since the last call.
  func taken() -> [Range<Int>] {
    asked.withLock { asked in
      defer { asked = [] }
      return asked
    }
  }

  func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] {
    asked.withLock { $0.append(range) }
    return try await store.read(id, range)
  }

  func begin(_ id: BlobID) async throws -> any BlobWriter { try await store.begin(id) }
  func size(of id: BlobID) async throws -> Int? { try await store.size(of: id) }
  func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    try await store.overwrite(id, beginningWith: head)
  }
  func delete(_ id: BlobID) async throws -> Bool { try await store.delete(id) }
  func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    try await store.collectGarbage(keeping: wanted)
  }
}

/// Bundle of random depth maps with the ranges of its frame records.
private struct Sample {
  private(set) var bytes: [UInt8]
  private(set) var places: [Range<Int>] = []
  private(set) var depths: [[UInt8]] = []

  init(frames count: Int, seed: UInt64) throws {
    let header = try #require(
      ScanHeader(
        device: "iPhone 13 Pro", sensor: .lidar, width: 64, height: 48, micrometersPerStep: 1000, world: .unleveled,
        clock: .start))
    var generator = SplitMixGenerator(seed: seed)
    var writer = ScanWriter(header)
    bytes = writer.start()
    for number in 0..<count {
      let depth = (0..<header.area).map { _ in UInt16.random(in: 500...1500, using: &generator) }
      let frame = try #require(
        ScanFrame(
          width: 64, height: 48, depth: depth, confidence: nil, pose: nil,
          intrinsics: PinholeIntrinsics(fx: 60, fy: 60, cx: 32, cy: 24),
          at: MonotonicInstant(nanoseconds: Int64(number))))
      let start = bytes.count
      bytes += try writer.append(frame)
      places.append(start..<bytes.count)
      depths.append(Self.plain(frame))
    }
    bytes += writer.finish()
  }

  /// Returns a raw encoding that substitutes for an image.
  static func plain(_ frame: ScanFrame) -> [UInt8] {
    frame.depth.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }
}

/// Stores a given bundle for each scan, and reads its depth maps from there.
private struct BundleProcessor: ScanProcessor {
  private struct DepthMaps: ScanDepthImages {
    let scan: RemoteScanSource

    func image(of frame: Int) async throws -> [UInt8]? { try await scan.frame(at: frame).map { Sample.plain($0) } }
  }

  let bundle: @Sendable (String?) -> [UInt8]

  func process(_ job: ScanProcessingJob) async throws -> ScanReport {
    try await job.keep(ScanProcessingJob.bundleName, type: "application/x-mien-scan", bundle(job.scan.label))
    return ScanReport()
  }

  func depthImages(of bundle: StoredFile) -> any ScanDepthImages {
    DepthMaps(scan: RemoteScanSource(bytes: bundle.count, read: bundle.read))
  }
}

private struct Bench {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-depth-\(UUID())").path
  let blobs: CountedBlobs
  let service: ScanService

  /// - Parameter bundle: returns the processing result of a scan, by its label.
  init(bundle: @escaping @Sendable (String?) -> [UInt8]) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 1, count: 32)))
    blobs = CountedBlobs(
      EncryptedBlobStore(try FileBlobStore(folder + "/blobs"), keyring: keyring) { [UInt8](repeating: 7, count: $0) })
    service = ScanService(
      store: try SQLiteStore(path: folder + "/mien.sqlite"), blobs: blobs,
      clock: ManualClock(), settings: ScanSettings(),
      processor: BundleProcessor(bundle: bundle),
      generator: SystemRandomNumberGenerator())
  }

  /// Submits a scan of one file and processes it.
  func send(_ label: String? = nil) async throws -> String {
    let file = try await service.begin()
    try await file.writer.write(Array((label ?? "none").utf8))
    var draft = ScanDraft()
    draft.label = label
    draft.files = [ScanDraft.Part(name: "a.bin", type: "application/octet-stream", file: file)]
    let scan = try await service.take(draft, owner: nil)
    #expect(try await service.workOnNext())
    _ = blobs.taken()
    return scan.id.text
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

@Suite struct `Scan depth maps` {
  @Test func `depth maps match the full bundle and read only what they need`() async throws {
    let sample = try Sample(frames: 60, seed: 6)
    let fixture = try Bench { _ in sample.bytes }
    defer { fixture.remove() }
    let scan = try await fixture.send()
    // Every fifteenth frame is a key frame.
    let run = try #require((0..<60).map { sample.places[$0].upperBound - sample.places[$0 / 15 * 15].lowerBound }.max())
    #expect(sample.bytes.count > 3 * run)
    #expect(try await fixture.service.depthImage(of: 44, scan: scan) == sample.depths[44])
    #expect(fixture.blobs.taken().map(\.count).reduce(0, +) < run + 282 + 2 * 16 + 16 + 9 * 60 + 16)
    for number in 45..<60 {
      #expect(try await fixture.service.depthImage(of: number, scan: scan) == sample.depths[number])
      #expect(fixture.blobs.taken() == [sample.places[number]])
    }
    for number in [59, 3, 14, 15, 0, 58, 29, 30, 31, 31, 1] {
      #expect(try await fixture.service.depthImage(of: number, scan: scan) == sample.depths[number])
      #expect(fixture.blobs.taken().map(\.count).reduce(0, +) <= run)
    }
    for number in [60, -1, .max] {
      let error = await #expect(throws: ServiceError.self) {
        _ = try await fixture.service.depthImage(of: number, scan: scan)
      }
      #expect(error?.code == .notFound && fixture.blobs.taken().isEmpty)
    }
  }

  @Test func `concurrent requests get the maps of their own scans`() async throws {
    let (one, other) = (try Sample(frames: 20, seed: 1), try Sample(frames: 20, seed: 2))
    let fixture = try Bench { $0 == "one" ? one.bytes : other.bytes }
    defer { fixture.remove() }
    let scans = [try await fixture.send("one"), try await fixture.send("other")]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<80 {
        group.addTask {
          let (which, number) = (task / 3 % 2, task * 7 % 20)
          let image = try await fixture.service.depthImage(of: number, scan: scans[which])
          #expect(image == (which == 0 ? one : other).depths[number])
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `depth maps change when a scan is reprocessed and are deleted with it`() async throws {
    let (one, other) = (try Sample(frames: 3, seed: 1), try Sample(frames: 3, seed: 2))
    let fixture = try Bench { $0 == "one" ? one.bytes : other.bytes }
    defer { fixture.remove() }
    let scan = try await fixture.send("one")
    #expect(try await fixture.service.depthImage(of: 1, scan: scan) == one.depths[1])
    _ = try await fixture.service.describe(scan, subject: nil, label: "other")
    _ = try await fixture.service.retry(scan)
    #expect(try await fixture.service.workOnNext())
    #expect(try await fixture.service.depthImage(of: 1, scan: scan) == other.depths[1])
    try await fixture.service.delete(scan)
    _ = fixture.blobs.taken()
    let error = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.depthImage(of: 1, scan: scan)
    }
    #expect(error?.code == .notFound && fixture.blobs.taken().isEmpty)
  }
}
