import Foundation
import MienBlobs
import MienCore
import MienPlatform
import MienScanService
import MienStore
import MienTestSupport
import Synchronization
import Testing

/// Blob store in which some files temporarily cannot be deleted.
private final class StubbornBlobs: BlobStore {
  private let folder: FileBlobStore
  private let stuck = Mutex<Set<BlobID>>([])

  init(_ folder: FileBlobStore) {
    self.folder = folder
  }

  func hold(_ blobs: [BlobID]) {
    stuck.withLock { $0 = Set(blobs) }
  }

  func delete(_ id: BlobID) async throws -> Bool {
    if stuck.withLock({ $0.contains(id) }) { throw StoreError(.unavailable, reason: "The disk does not answer.") }
    return try await folder.delete(id)
  }

  func begin(_ id: BlobID) async throws -> any BlobWriter { try await folder.begin(id) }
  func size(of id: BlobID) async throws -> Int? { try await folder.size(of: id) }
  func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] { try await folder.read(id, range) }
  func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    try await folder.overwrite(id, beginningWith: head)
  }
  func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    try await folder.collectGarbage(keeping: wanted)
  }
}

private struct Bench {
  let clock = ManualClock()
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-erasing-\(UUID())").path
  let store: FragileScanStore
  let blobs: StubbornBlobs
  let service: ScanService

  init(_ settings: ScanSettings = ScanSettings()) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    store = FragileScanStore(try SQLiteStore(path: folder + "/mien.sqlite"))
    blobs = StubbornBlobs(try FileBlobStore(folder + "/blobs"))
    service = ScanService(
      store: store, blobs: blobs, clock: clock, settings: settings,
      processor: ScriptedScanProcessor(),
      generator: SystemRandomNumberGenerator())
  }

  /// Submits a scan of one file at once.
  func send(_ bytes: [UInt8], subject: String? = nil) async throws -> ScanRecord {
    let file = try await service.begin()
    try await file.writer.write(bytes)
    var draft = ScanDraft()
    draft.subject = subject
    draft.files = [ScanDraft.Part(name: "a.bin", type: "application/octet-stream", file: file)]
    return try await service.take(draft, owner: nil)
  }

  func blob(of scan: ScanRecord) throws -> BlobID { try #require(scan.files.first?.blob) }

  /// Returns the number of files.
  func files() throws -> Int { try FileBlobStore.paths(in: folder + "/blobs").count }
}

@Suite struct `Scan file deletion` {
  @Test func `files are kept only if the database stored the scan without replying`() async throws {
    let fixture = try Bench()
    let nobody = "sub_" + String(repeating: "0", count: 32)
    await #expect(throws: ServiceError.self) { _ = try await fixture.send([9], subject: nobody) }
    #expect(try fixture.files() == 0)
    fixture.store.loseReplies(true)
    let error = await #expect(throws: StoreError.self) { _ = try await fixture.send([1, 2, 3]) }
    #expect(error?.code == .unavailable)
    let listed = try #require(try await fixture.service.scans(ScanQuery()).items.first)
    let scan = try await fixture.service.scan(listed.id.text)
    #expect(scan.status == .queued)
    #expect(try await fixture.service.open(#require(scan.files.first)).read(0..<3) == [1, 2, 3])
  }

  @Test func `files that cannot be deleted keep their scan, which can be deleted again`() async throws {
    let fixture = try Bench()
    let scan = try await fixture.send([1])
    fixture.blobs.hold([try fixture.blob(of: scan)])
    await #expect(throws: StoreError.self) { try await fixture.service.delete(scan.id.text) }
    #expect(try await !fixture.service.workOnNext(), "a scan being deleted is not processed")
    fixture.blobs.hold([])
    try await fixture.service.delete(scan.id.text)
    #expect(try fixture.files() == 0)
    let gone = await #expect(throws: ServiceError.self) { try await fixture.service.delete(scan.id.text) }
    #expect(gone?.code == .notFound)
  }

  @Test func `files that cannot be deleted do not block the expiry of other scans`() async throws {
    var settings = ScanSettings()
    settings.lifetime = .seconds(86_400)
    let fixture = try Bench(settings)
    let stuck = try await fixture.send([1])
    _ = try await fixture.send([2])
    fixture.clock.advance(by: .seconds(90_000))
    fixture.blobs.hold([try fixture.blob(of: stuck)])
    await #expect(throws: StoreError.self) { try await fixture.service.purgeExpired() }
    #expect(try await fixture.service.scans(ScanQuery()).items.map(\.id) == [stuck.id])
    fixture.blobs.hold([])
    fixture.clock.advance(by: .seconds(61))
    try await fixture.service.purgeExpired()
    #expect(try await fixture.service.scans(ScanQuery()).total == 0)
    #expect(try fixture.files() == 0)
  }

  @Test func `files that cannot be deleted keep their scan's subject but no other scan`() async throws {
    let fixture = try Bench()
    let subject = try await fixture.service.createSubject(name: "Ada", note: nil, due: nil).id.text
    let stuck = try await fixture.send([1], subject: subject)
    _ = try await fixture.send([2], subject: subject)
    fixture.blobs.hold([try fixture.blob(of: stuck)])
    await #expect(throws: StoreError.self) { _ = try await fixture.service.delete(subject: subject) }
    #expect(try await fixture.service.scans(ofSubject: subject) == [stuck.id])
    fixture.blobs.hold([])
    #expect(try await fixture.service.delete(subject: subject) == 1)
    #expect(try fixture.files() == 0)
  }
}
