import Foundation
import MienBlobs
import MienCore
import MienService
import MienStoreSQLite
import MienTestSupport
import Testing

/// Scans whose store and whose files can be away, under a clock that is moved by hand. The shelf is a disk of one's own.
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

  /// A server begins; one that began before is dead from now on.
  func start(
    work act: @escaping @Sendable (ScanProcessingJob) async throws -> ScanReport = { _ in ScanReport() }
  ) throws -> ScanService {
    ScanService(
      store: store, blobs: blobs, shelf: try FileUploadStore(folder.path + "/uploads"), clock: clock,
      settings: settings,
      workshop: ScanProcessor(work: { try await act($0) }, depthImages: { _, _ in return { _ in nil } }),
      generator: SystemRandomNumberGenerator())
  }

  /// A scan of one file of three bytes, and where that is to come in.
  func announced(_ service: ScanService) async throws -> (scan: String, upload: String) {
    let scan = try await service.create(
      [ScanService.Announced(name: "a.bin", bytes: 3, type: nil)], subject: nil, label: nil, kind: .object,
      photosExpected: 0, owner: nil
    ).scan
    return (scan.id.text, try #require(scan.files.first?.upload).text)
  }

  /// Brings the bytes 1, 2, 3 in one piece.
  func bring(_ upload: String, to service: ScanService) async throws {
    let piece = try await service.begin(upload, at: 0, announced: 3, checksum: nil)
    try await piece.take([1, 2, 3])
    _ = try await service.end(piece)
  }

  /// A scan of which all is there.
  func submitted(_ service: ScanService) async throws -> String {
    let (scan, upload) = try await announced(service)
    try await bring(upload, to: service)
    _ = try await service.submit(scan)
    return scan
  }

  /// The scan as the store has it, even while that is away.
  func kept(_ scan: String) async throws -> ScanRecord {
    let id = try #require(ScanID(scan))
    return try #require(await store.kept.scan(id))
  }

  // MARK: - On the disks

  /// The names of whole files.
  func files() throws -> [String] {
    try FileBlobStore.paths(in: folder.path + "/blobs").compactMap { $0.split(separator: "/").last.map(String.init) }
  }

  /// The names of files that come in.
  func pieces() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path + "/uploads") }

  /// How many files were begun that nobody has ended.
  func drafts() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder.path + "/blobs/drafts").count
  }

  /// Takes away the files that no record names, as the next start does; returns how many.
  func sweep() async throws -> Int {
    let records = store.kept
    return try await blobs.collectGarbage { (asked: [BlobID]) in try await records.wanted(of: asked) }
  }
}
