import MienTestGenerators
import MienAuthenticity
import MienImaging
import MienCore
import MienTestSupport
import Testing

@testable import MienCaptures
@testable import MienPlatform

/// Cancellation of an analysis when the server is stopped: no file is reported as unreadable, and the capture stays
/// queued.
@Suite struct `Interrupted capture analysis` {
  private static let scene = CaptureInput(image: YCbCrImage())

  /// Decoder that is interrupted at the photo, at the clip, or not at all.
  private struct InterruptedDecoder: CaptureDecoding {
    let part: CapturePart?
    private let other = UnreadableCaptures()
    var headBytes: Int { other.headBytes }

    init(at part: CapturePart?) { self.part = part }

    func image(_ bytes: [UInt8]) async throws -> CaptureInput {
      if part == .photo { await Self.cancellation() }
      return scene
    }

    func clip(_ bytes: [UInt8]) async throws -> [BurstFrame] {
      if part == .clip { await Self.cancellation() }
      return try await other.clip(bytes)
    }

    func imageType(of head: [UInt8]) throws -> String { try other.imageType(of: head) }
    func provenance(of head: [UInt8]) -> ImageProvenance { other.provenance(of: head) }
    func depth(_ bytes: [UInt8]) throws -> CaptureDepthMap { try other.depth(bytes) }
    func burst(_ files: [[UInt8]]) throws -> [Plane] { try other.burst(files) }
    func png(_ frame: Frame) throws -> [UInt8] { try other.png(frame) }

    /// Returns when the task is canceled.
    private static func cancellation() async {
      while !Task.isCancelled { await Task.yield() }
    }
  }

  private static var scheduler: AnalysisScheduler {
    AnalysisScheduler(clock: ManualClock(), places: 1, maximumWaiting: 1, analyzer: FixedJobs())
  }

  @Test func `a canceled analysis never marks a file as unreadable`() async throws {
    let clip = CaptureMotionMedia(kind: .clip, digest: ContentDigest(of: [1]))
    for part in [CapturePart.photo, .clip] {
      let look = CaptureAnalysis(reader: InterruptedDecoder(at: part), scheduler: Self.scheduler)
      let files = CaptureAnalysis.Files(
        photo: [], motion: CaptureAnalysis.Files.Motion(facts: clip, bytes: [], times: nil))
      let task = Task { _ = try await look.analyze(at: files) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `a canceled analysis leaves the capture queued`() async throws {
    let store = OneCapture(try sampleCapture(2, photo: 1))
    func service(interruptedAt part: CapturePart?) -> CaptureService {
      CaptureService(
        store: store, blobs: NoBlobs(), clock: ManualClock(), settings: CaptureSettings(),
        reader: InterruptedDecoder(at: part), scheduler: Self.scheduler, generator: SplitMixGenerator(seed: 1))
    }
    let before = service(interruptedAt: .photo)
    let task = Task { try await before.analyzeQueued(atMost: 1) }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(await store.analyzes == 0)
    #expect(try await service(interruptedAt: nil).analyzeQueued(atMost: 1) == 1)
    #expect(await store.analyzes == 1)
  }
}

/// Store of one capture, which does not check for cancellation.
private actor OneCapture: CaptureStore {
  private var kept: CaptureRecord
  private(set) var analyzes = 0

  init(_ capture: CaptureRecord) { kept = capture }

  func capture(_ id: CaptureID) async throws -> CaptureRecord? { kept }
  func queuedCaptures(limit: Int) async throws -> [CaptureID] { kept.state == .queued ? [kept.id] : [] }
  func analyzed(
    _ id: CaptureID, _ results: DetectionResults, provenance: ProvenanceOutcome, reception: ReceptionCredential?,
    visualizations: [CaptureVisualization]
  ) async throws -> Bool {
    analyzes += 1
    kept.state = .analyzed
    return true
  }

  func save(_ device: CaptureDevice) async throws {}
  func device(_ id: DeviceID) async throws -> CaptureDevice? { nil }
  func deleteDevice(_ id: DeviceID) async throws -> Bool { false }
  func attest(_ id: DeviceID, key: DeviceKey, _ attested: AttestedKey) async throws -> CaptureDevice? { nil }
  func saveChallenge(_ digest: SecretDigest, until expires: UnixTime, at now: UnixTime) async throws {}
  func takeChallenge(_ digest: SecretDigest, at now: UnixTime) async throws -> Bool { false }
  func save(
    _ capture: CaptureRecord, quota: Int?, checkLimits: CheckCaptureLimits?
  ) async throws -> CaptureRecord { capture }
  func captures(_ query: CaptureListQuery) async throws -> RecordPage<CaptureSummary> {
    RecordPage([], limit: 1) { PageCursor(milliseconds: $0.received.milliseconds, id: $0.id.text) }
  }
  func captures(of check: CheckID) async throws -> [CaptureID] { [] }
  func captures(of person: PersonID) async throws -> [CaptureID] { [] }
  func capturesWithoutCheck() async throws -> [CaptureID] { [] }
  func captures(of photo: ContentDigest, limit: Int) async throws -> [CaptureID] { [] }
  func captures(receivedBefore time: UnixTime, limit: Int) async throws -> [CaptureID] { [] }
  func visualization(_ kind: CaptureVisualization.Kind, of id: CaptureID) async throws -> [UInt8]? { nil }
  func visualizations(of id: CaptureID) async throws -> [CaptureVisualization.Kind] { [] }
  func deleteCapture(_ id: CaptureID) async throws -> [BlobID]? { nil }
  func wanted(of blobs: [BlobID]) async throws -> Set<BlobID> { Set(blobs) }
}

/// Store whose files are missing.
private struct NoBlobs: BlobStore {
  private static let missing = StoreError(.missing, reason: "There is no such file.")

  func begin(_ id: BlobID) async throws -> any BlobWriter { throw Self.missing }
  func size(of id: BlobID) async throws -> Int? { nil }
  func read(_ id: BlobID, _ range: Range<Int>) async throws -> [UInt8] { throw Self.missing }
  func overwrite(_ id: BlobID, beginningWith head: [UInt8]) async throws { throw Self.missing }
  func delete(_ id: BlobID) async throws -> Bool { false }
  func collectGarbage(keeping wanted: @Sendable ([BlobID]) async throws -> Set<BlobID>) async throws -> Int { 0 }
}
