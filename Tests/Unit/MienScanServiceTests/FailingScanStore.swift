import Foundation
import MienBlobs
import MienCore
import MienPlatform
import MienCaptures
import MienScanService
import MienStore
import MienTestSupport
import Testing

/// Scan service whose store and files can become unavailable, with a manual clock.
struct FailingScanStore {
  let clock = ManualClock()
  let store: FragileScanStore
  let blobs: FailingBlobStore
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-fragile-\(UUID())")
  private let settings: ScanSettings

  init(_ settings: ScanSettings = ScanSettings()) throws {
    self.settings = settings
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = FragileScanStore(try SQLiteStore(path: folder.path + "/mien.sqlite"))
    blobs = FailingBlobStore(try FileBlobStore(folder.path + "/blobs"))
  }

  /// Starts a server; the previous one counts as terminated.
  func start(
    work act: @escaping @Sendable (ScanProcessingJob) async throws -> ScanReport = { _ in ScanReport() }
  ) throws -> ScanService {
    ScanService(
      store: store, blobs: blobs, clock: clock, settings: settings,
      processor: ScriptedScanProcessor(act),
      generator: SystemRandomNumberGenerator())
  }

  /// Creates a scan of one file of three bytes and returns it with its upload ID.
  func announced(_ service: ScanService) async throws -> (scan: String, upload: String) {
    let scan = try await service.create(
      [ScanService.Announced(name: "a.bin", bytes: 3, type: nil)], subject: nil, label: nil, kind: .object,
      photosExpected: 0, owner: nil
    ).scan
    return (scan.id.text, try #require(scan.files.first?.upload).text)
  }

  /// Uploads the bytes 1, 2, 3 in one chunk.
  func bring(_ upload: String, to service: ScanService) async throws {
    let piece = try await service.begin(upload, at: 0, announced: 3, checksum: nil)
    try await piece.take([1, 2, 3])
    _ = try await service.end(piece)
  }

  /// Creates a completely uploaded and submitted scan.
  func submitted(_ service: ScanService) async throws -> String {
    let (scan, upload) = try await announced(service)
    try await bring(upload, to: service)
    _ = try await service.submit(scan)
    return scan
  }

  /// Returns the scan from the underlying store, even while that is unavailable.
  func kept(_ scan: String) async throws -> ScanRecord {
    let id = try #require(ScanID(scan))
    return try #require(await store.kept.scan(id))
  }

  // MARK: - Disk contents

  /// Returns the names of complete files.
  func files() throws -> [String] {
    try FileBlobStore.paths(in: folder.path + "/blobs").compactMap { $0.split(separator: "/").last.map(String.init) }
  }

  /// Returns the number of unfinished files.
  func drafts() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder.path + "/blobs/drafts").count
  }

  /// Deletes files without a record, as at the next start, and returns their number.
  func sweep() async throws -> Int {
    let records = store.kept
    return try await blobs.collectGarbage { (asked: [BlobID]) in try await records.wanted(of: asked) }
  }
}
