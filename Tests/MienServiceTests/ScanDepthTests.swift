import Foundation
import MienBlobs
import MienDepth
import MienModel
import MienScanFiles
import MienService
import MienStoreSQLite
import MienTestSupport
import Synchronization
import Testing

/// Sealed files in a folder, as a server keeps them, and which parts of them were read.
private final class CountedBlobs: BlobStore {
  private let store: SealedBlobs
  private let asked = Mutex<[Range<Int>]>([])

  init(_ store: SealedBlobs) { self.store = store }

  /// The parts that were read since this was last called.
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
  func erase(_ id: BlobID) async throws -> Bool { try await store.erase(id) }
  func sweep(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    try await store.sweep(keeping: wanted)
  }
}

/// A bundle of maps of noise, and where each frame's record lies.
private struct Sample {
  private(set) var bytes: [UInt8]
  private(set) var places: [Range<Int>] = []
  private(set) var depths: [[UInt8]] = []

  init(frames count: Int, seed: UInt64) throws {
    let header = try #require(
      ScanHeader(
        device: "iPhone 13 Pro", sensor: .lidar, width: 64, height: 48, micrometresPerStep: 1000, world: .unlevelled,
        clock: .start))
    var dice = SplitMix(seed: seed)
    var writer = ScanWriter(header)
    bytes = writer.start()
    for number in 0..<count {
      let depth = (0..<header.area).map { _ in UInt16.random(in: 500...1500, using: &dice) }
      let frame = try #require(
        ScanFrame(
          width: 64, height: 48, depth: depth, confidence: nil, pose: nil,
          intrinsics: PinholeIntrinsics(fx: 60, fy: 60, cx: 32, cy: 24), at: Instant(nanoseconds: Int64(number))))
      let start = bytes.count
      bytes += try writer.append(frame)
      places.append(start..<bytes.count)
      depths.append(Self.plain(frame))
    }
    bytes += writer.finish()
  }

  /// What stands for a picture here.
  static func plain(_ frame: ScanFrame) -> [UInt8] {
    frame.depth.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }
}

private struct Bench {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-depth-\(UUID())").path
  let blobs: CountedBlobs
  let service: ScanService

  /// - Parameter bundle: what the work makes of a scan, by its label.
  init(bundle: @escaping @Sendable (String?) -> [UInt8]) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let seal = try #require(Seal(key: [UInt8](repeating: 1, count: 32)))
    blobs = CountedBlobs(
      SealedBlobs(try BlobFolder(folder + "/blobs"), seal: seal) { [UInt8](repeating: 7, count: $0) })
    service = ScanService(
      store: try SQLiteStore(path: folder + "/mien.sqlite"), blobs: blobs,
      shelf: try UploadFolder(folder + "/uploads"), clock: ManualClock(), settings: ScanSettings(),
      workshop: ScanWorkshop(
        work: { job in
          try await job.keep(ScanJob.bundleName, type: "application/x-mien-scan", bundle(job.scan.label))
          return ScanOutcome()
        },
        depthPictures: { bytes, read in
          let scan = DistantScan(bytes: bytes, read: read)
          return { number in try await scan.frame(at: number).map { Sample.plain($0) } }
        }),
      dice: SystemRandomNumberGenerator())
  }

  /// Sends a scan of one file and works on it.
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

@Suite struct `Depth maps of scans` {
  @Test func `are those of the whole bundle, of which only what they need is read`() async throws {
    let sample = try Sample(frames: 60, seed: 6)
    let bench = try Bench { _ in sample.bytes }
    defer { bench.remove() }
    let scan = try await bench.send()
    // Every fifteenth frame is a key frame.
    let run = try #require((0..<60).map { sample.places[$0].upperBound - sample.places[$0 / 15 * 15].lowerBound }.max())
    #expect(sample.bytes.count > 3 * run)
    #expect(try await bench.service.depthPicture(of: 44, scan: scan) == sample.depths[44])
    #expect(bench.blobs.taken().map(\.count).reduce(0, +) < run + 282 + 2 * 16 + 16 + 9 * 60 + 16)
    for number in 45..<60 {
      #expect(try await bench.service.depthPicture(of: number, scan: scan) == sample.depths[number])
      #expect(bench.blobs.taken() == [sample.places[number]])
    }
    for number in [59, 3, 14, 15, 0, 58, 29, 30, 31, 31, 1] {
      #expect(try await bench.service.depthPicture(of: number, scan: scan) == sample.depths[number])
      #expect(bench.blobs.taken().map(\.count).reduce(0, +) <= run)
    }
    for number in [60, -1, .max] {
      let error = await #expect(throws: ServiceError.self) {
        _ = try await bench.service.depthPicture(of: number, scan: scan)
      }
      #expect(error?.code == .notFound && bench.blobs.taken().isEmpty)
    }
  }

  @Test func `are each of its own scan when many are asked for at once`() async throws {
    let (one, other) = (try Sample(frames: 20, seed: 1), try Sample(frames: 20, seed: 2))
    let bench = try Bench { $0 == "one" ? one.bytes : other.bytes }
    defer { bench.remove() }
    let scans = [try await bench.send("one"), try await bench.send("other")]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<80 {
        group.addTask {
          let (which, number) = (task / 3 % 2, task * 7 % 20)
          let picture = try await bench.service.depthPicture(of: number, scan: scans[which])
          #expect(picture == (which == 0 ? one : other).depths[number])
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `change with the work, and go with the scan`() async throws {
    let (one, other) = (try Sample(frames: 3, seed: 1), try Sample(frames: 3, seed: 2))
    let bench = try Bench { $0 == "one" ? one.bytes : other.bytes }
    defer { bench.remove() }
    let scan = try await bench.send("one")
    #expect(try await bench.service.depthPicture(of: 1, scan: scan) == one.depths[1])
    _ = try await bench.service.describe(scan, subject: nil, label: "other")
    _ = try await bench.service.retry(scan)
    #expect(try await bench.service.workOnNext())
    #expect(try await bench.service.depthPicture(of: 1, scan: scan) == other.depths[1])
    try await bench.service.erase(scan)
    _ = bench.blobs.taken()
    let error = await #expect(throws: ServiceError.self) {
      _ = try await bench.service.depthPicture(of: 1, scan: scan)
    }
    #expect(error?.code == .notFound && bench.blobs.taken().isEmpty)
  }
}
