import MienTestGenerators
import Dispatch
import Foundation
import MienBlobs
import MienImaging
import MienCore
import MienPlatform
import MienCaptures
import MienScanService
import MienStore
import MienTestSupport
import Synchronization
import Testing

/// Blob store on a simulated slow disk: creating a file blocks its thread until another request has been answered.
private final class SlowBlobs: BlobStore {
  private let folder: FileBlobStore
  private let question = Mutex<(@Sendable () async -> Void)?>(nil)
  /// Number of requests that were answered while their files were blocked.
  private let answers = Mutex(0)

  init(_ folder: FileBlobStore) {
    self.folder = folder
  }

  /// Makes files wait for this request from now on.
  func wait(for question: @escaping @Sendable () async -> Void) {
    self.question.withLock { $0 = question }
  }

  var answered: Int { answers.withLock { $0 } }

  func begin(_ id: BlobID) async throws -> any BlobWriter {
    waitForDisk()
    return try await folder.begin(id)
  }

  private func waitForDisk() {
    guard let question = question.withLock({ $0 }) else { return }
    let answer = DispatchSemaphore(value: 0)
    Task.detached {
      await question()
      answer.signal()
    }
    answer.wait()
    answers.withLock { $0 += 1 }
  }

  func nearby<Value>(_ work: () async throws -> Value) async throws -> Value { try await folder.nearby(work) }
  func size(of id: BlobID) async throws -> Int? { try await folder.size(of: id) }
  func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] { try await folder.read(id, range) }
  func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws {
    try await folder.overwrite(id, beginningWith: head)
  }
  func delete(_ id: BlobID) async throws -> Bool { try await folder.delete(id) }
  func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int {
    try await folder.collectGarbage(keeping: wanted)
  }
}

/// Blocking file I/O in one request does not block other requests.
@Suite final class `Blocking disk operations` {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-wait-\(UUID())").path
  private let store: SQLiteStore
  private let blobs: SlowBlobs
  private let clock = ManualClock()

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    store = try SQLiteStore(path: folder + "/mien.sqlite")
    blobs = SlowBlobs(try FileBlobStore(folder + "/blobs"))
  }
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func scans() throws -> ScanService {
    let service = ScanService(
      store: store, blobs: blobs, clock: clock, settings: ScanSettings(),
      processor: ScriptedScanProcessor(),
      generator: SplitMixGenerator(seed: 1))
    // There is no such scan: the response depends only on the service.
    blobs.wait { _ = try? await service.cancel("nothing") }
    return service
  }

  private func captures() -> CaptureService {
    let service = CaptureService(
      store: store, blobs: blobs, clock: clock, settings: CaptureSettings(), reader: UnreadableCaptures(),
      scheduler: AnalysisScheduler(clock: clock, places: 1, maximumWaiting: 1), generator: SplitMixGenerator(seed: 2))
    blobs.wait { _ = try? await service.admit(.send, of: "x") }
    return service
  }

  @Test func `a scan file write does not block other requests`() async throws {
    let service = try scans()
    let file = try await service.nearby { try await service.begin() }
    #expect(blobs.answered == 1)
    await file.writer.discard()
  }

  @Test func `the completion of an upload does not block other requests`() async throws {
    let service = try scans()
    let scan = try await service.create(
      [ScanService.Announced(name: "a.bin", bytes: 3, type: nil)], subject: nil, label: nil, kind: .object,
      photosExpected: 0, owner: nil
    ).scan
    let upload = try #require(scan.files.first?.upload).text
    let piece = try await service.begin(upload, at: 0, announced: 3, checksum: nil)
    try await service.nearby {
      try await piece.take([1, 2, 3])
      _ = try await service.end(piece)
    }
    #expect(blobs.answered == 1)
    #expect(try await service.scan(scan.id.text).files.first?.isWhole == true)
  }

  @Test func `a capture file write does not block other requests`() async throws {
    let service = captures()
    let file = try await service.nearby { try await service.begin() }
    #expect(blobs.answered == 1)
    await file.writer.discard()
  }
}
