import Foundation
import MienBlobs
import MienCore
import MienPlatform
import MienScanService
import MienStore
import MienTestSupport
import Testing

/// Processor whose depth maps are the bytes of the bundle.
private struct ByteProcessor: ScanProcessor {
  private struct Bytes: ScanDepthImages {
    let bundle: StoredFile

    func image(of frame: Int) async throws -> [UInt8]? {
      frame < bundle.count ? try await bundle.read(frame..<frame + 1) : nil
    }
  }

  let work: @Sendable (ScanProcessingJob) async throws -> ScanReport

  func process(_ job: ScanProcessingJob) async throws -> ScanReport { try await work(job) }
  func depthImages(of bundle: StoredFile) -> any ScanDepthImages { Bytes(bundle: bundle) }
}

@Suite struct `Scan service` {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-scans-\(UUID())")
  private let clock = ManualClock()

  private func inService(
    _ settings: ScanSettings = ScanSettings(),
    work act: @escaping @Sendable (ScanProcessingJob) async throws -> ScanReport = { _ in ScanReport() },
    _ body: (ScanService) async throws -> Void
  ) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(try service(settings, work: act))
  }

  private func service(
    _ settings: ScanSettings, work act: @escaping @Sendable (ScanProcessingJob) async throws -> ScanReport
  ) throws -> ScanService {
    ScanService(
      store: try SQLiteStore(path: folder.path + "/mien.sqlite"), blobs: try FileBlobStore(folder.path + "/blobs"),
      clock: clock, settings: settings,
      processor: ByteProcessor(work: act),
      generator: SystemRandomNumberGenerator())
  }

  private func files(_ name: String) throws -> Int {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/" + name).count {
      !$0.hasSuffix("drafts") && $0.utf8.count > 2
    }
  }

  /// Creates a scan with one file of the given size and returns it with its upload ID.
  private func begun(_ service: ScanService, bytes: Int) async throws -> (scan: String, upload: String) {
    let scan = try await service.create(
      [ScanService.Announced(name: "a.bin", bytes: bytes, type: nil)], subject: nil, label: nil, kind: .object,
      photosExpected: 0, owner: nil
    ).scan
    return (scan.id.text, try #require(scan.files.first?.upload).text)
  }

  private func submitted(_ service: ScanService) async throws -> String {
    let (scan, upload) = try await begun(service, bytes: 3)
    let piece = try await service.begin(upload, at: 0, announced: 3, checksum: nil)
    try await piece.take([1, 2, 3])
    _ = try await service.end(piece)
    _ = try await service.submit(scan)
    return scan
  }

  // MARK: - Uploads

  @Test func `a partial piece is kept unless it has a checksum`() async throws {
    try await inService { service in
      let (_, upload) = try await begun(service, bytes: 10)
      let first = try await service.begin(upload, at: 0, announced: 10, checksum: nil)
      try await first.take([1, 2, 3, 4])
      await service.breakOff(first)
      #expect(try await service.upload(upload).offset == 4)
      let second = try await service.begin(
        upload, at: 4, announced: nil, checksum: UploadChecksum(algorithm: .sha256, bytes: []))
      try await second.take([5, 6])
      await service.breakOff(second)
      #expect(try await service.upload(upload).offset == 4)
    }
  }

  @Test func `one request at a time uploads bytes and none exceeds the declared size`() async throws {
    try await inService { service in
      let (scan, upload) = try await begun(service, bytes: 4)
      let piece = try await service.begin(upload, at: 0, announced: nil, checksum: nil)
      let busy = await #expect(throws: ServiceError.self) {
        _ = try await service.begin(upload, at: 0, announced: nil, checksum: nil)
      }
      #expect(busy?.code == .uploadBusy)
      try await piece.take([1, 2, 3])
      let large = await #expect(throws: ServiceError.self) { try await piece.take([4, 5]) }
      #expect(large?.code == .bodyTooLarge)
      await service.breakOff(piece)
      let early = await #expect(throws: ServiceError.self) { _ = try await service.submit(scan) }
      #expect(early?.code == .filesIncomplete && early?.reason.contains("a.bin") == true)
      let rest = try await service.begin(upload, at: 3, announced: 1, checksum: nil)
      try await rest.take([4])
      #expect(try await service.end(rest) == 4)
      #expect(try await service.submit(scan).status == .queued)
      #expect(try await service.submit(scan).status == .queued, "submitting again changes nothing")
      #expect(try files("blobs") == 2, "one blob for each request")
    }
  }

  @Test func `a file interrupted before completion is completed on submission`() async throws {
    try await inService { service in
      let (scan, upload) = try await begun(service, bytes: 3)
      let piece = try await service.begin(upload, at: 0, announced: 3, checksum: nil)
      try await piece.take([1, 2, 3])
      // Stored and synchronized, but not completed.
      await service.breakOff(piece)
      #expect(try await service.scan(scan).files.first?.isWhole == false)
      let next = try self.service(ScanSettings()) { _ in ScanReport() }
      try await next.purgeUploads()
      #expect(try await next.submit(scan).files.first?.isWhole == true)
    }
  }

  @Test func `concurrent requests do not exceed scan or storage limits`() async throws {
    var settings = ScanSettings()
    (settings.maximumOpen, settings.maximumFiles, settings.maximumBytes) = (5, 4, 100)
    try await inService(settings) { service in
      let scans = try await withThrowingTaskGroup(of: ScanRecord?.self) { group in
        for _ in 0..<40 {
          group.addTask {
            do {
              return try await service.create(
                [], subject: nil, label: nil, kind: .object, photosExpected: 0, owner: nil
              ).scan
            } catch let error as ServiceError where error.code == .tooManyRequests {
              return nil
            }
          }
        }
        return try await group.reduce(into: [ScanRecord]()) { if let scan = $1 { $0.append(scan) } }
      }
      #expect((1...5).contains(scans.count))
      let scan = try #require(scans.first)
      let codes = await withTaskGroup(of: ServiceError.Code?.self) { group in
        for number in 0..<20 {
          group.addTask {
            do {
              // Each name twice.
              let file = ScanService.Announced(name: "\(number / 2).jpg", bytes: 30, type: nil)
              _ = try await service.announce(file, to: scan.id.text)
              return nil
            } catch {
              return (error as? ServiceError)?.code ?? .internalError
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.count(where: { $0 == nil }) == 3, "100 bytes have room for three files of 30")
      #expect(codes.allSatisfy { [nil, .bodyTooLarge, .badValue].contains($0) })
      #expect(try await service.scan(scan.id.text).files.map(\.bytes).reduce(0, +) == 90)
    }
  }

  @Test func `abandoned scans are deleted and others are kept for their retention`() async throws {
    var settings = ScanSettings()
    settings.lifetime = .seconds(3 * 86_400)
    try await inService(settings) { service in
      let (left, upload) = try await begun(service, bytes: 10)
      let piece = try await service.begin(upload, at: 0, announced: 1, checksum: nil)
      try await piece.take([1])
      _ = try await service.end(piece)
      let whole = try await submitted(service)
      clock.advance(by: .seconds(86_000))
      try await service.purgeExpired()
      #expect(try await service.scan(left).status == .uploading)
      clock.advance(by: .seconds(500))
      try await service.purgeExpired()
      let gone = await #expect(throws: ServiceError.self) { _ = try await service.scan(left) }
      #expect(try gone?.code == .notFound && files("blobs") == 1)
      #expect(try await service.scan(whole).status == .queued)
      clock.advance(by: .seconds(3 * 86_400))
      try await service.purgeExpired()
      await #expect(throws: ServiceError.self) { _ = try await service.scan(whole) }
      #expect(try files("blobs") == 0)
    }
  }

  // MARK: - Work

  @Test func `results are replaced atomically`() async throws {
    try await inService(work: { job in
      let file = try #require(job.scan.files.first)
      let bytes = try await job.open(file).read(0..<3)
      try await job.report(.fusing, 0.5)
      try await job.keep(ScanProcessingJob.bundleName, type: "application/x-mien-scan", bytes + bytes)
      return ScanReport(
        remarks: [ScanReport.Remark(code: "a", values: [:], text: "of attempt \(job.scan.attempts)")])
    }) { service in
      #expect(try await !service.workOnNext(), "no scan is queued")
      let scan = try await submitted(service)
      for _ in 0..<2 {
        #expect(try await service.workOnNext())
        let done = try await service.scan(scan)
        #expect(done.status == .done && done.outcome?.notes == ["of attempt 1"] && done.progress == nil)
        #expect(done.results.map(\.name) == ["scan.mien"])
        #expect(try files("blobs") == 2)
        #expect(try await service.depthImage(of: 4, scan: scan) == [2])
        await #expect(throws: ServiceError.self) { _ = try await service.depthImage(of: 6, scan: scan) }
        _ = try await service.retry(scan)
      }
    }
  }

  @Test func `unreadable input fails with its messages and leaves nothing behind`() async throws {
    try await inService(work: { job in
      try await job.keep("half", type: "text/plain", [1])
      throw ScanProcessingError(code: "damaged", detail: "frame 3 is damaged")
    }) { service in
      let scan = try await submitted(service)
      #expect(try await service.workOnNext())
      let failed = try await service.scan(scan)
      #expect(failed.status == .failed && failed.results.isEmpty)
      #expect(failed.problem == ScanRecord.Problem(code: "damaged", detail: "frame 3 is damaged"))
      #expect(try files("blobs") == 1)
    }
  }

  @Test func `processing waits up to a quarter of an hour for a failed disk or store`() async throws {
    try await inService(work: { _ in throw StoreError(.unavailable, reason: "The disk is full.") }) { service in
      let scan = try await submitted(service)
      var tries = 0
      for second in 0...960 where try await service.scan(scan).status == .queued {
        do {
          #expect(try await !service.workOnNext(), "processing pauses meanwhile")
        } catch is StoreError {
          tries += 1
          let found = try await service.scan(scan)
          #expect(found.status == (second < 900 ? .queued : .failed) && found.attempts <= 1)
        }
        clock.advance(by: .seconds(1))
      }
      #expect((20...60).contains(tries), "\(tries)")
      #expect(try await service.scan(scan).problem?.code == "unavailable")
    }
  }

  @Test func `processing interrupted by crashes is repeated at most three times`() async throws {
    try await inService { service in
      let scan = try await submitted(service)
      let store = try SQLiteStore(path: folder.path + "/mien.sqlite")
      for attempt in 1...3 {
        #expect(try await store.acquire(at: clock.timeOfDay())?.attempts == attempt)
        try await service.resume()
        #expect(try await service.scan(scan).status == (attempt < 3 ? .queued : .failed))
      }
      #expect(try await service.scan(scan).problem?.code == "gave-up")
      #expect(try await service.retry(scan).attempts == 0)
    }
  }

  @Test func `canceled processing leaves nothing and the worker continues with the next scan`() async throws {
    try await inService(work: { job in
      guard job.scan.label != "next" else { return ScanReport() }
      try await job.keep("half", type: "text/plain", [1])
      // Until it is canceled.
      while true {
        try await job.report(.fusing, 0)
        await Task.yield()
      }
    }) { service in
      let (scan, next) = (try await submitted(service), try await submitted(service))
      _ = try await service.describe(next, subject: nil, label: "next")
      async let worked = service.workOnNext()
      try await eventually { try await service.scan(scan).status == .working }
      #expect(try await service.cancel(scan).status == .cancelled)
      #expect(try await worked)
      #expect(try await service.scan(scan).status == .cancelled && files("blobs") == 2)
      #expect(try await service.workOnNext())
      #expect(try await service.scan(next).status == .done)
    }
  }

  // MARK: - Values

  @Test(
    arguments: [
      ("1970-01-01", 0), ("1970-01-02", 86_400_000), ("2000-03-01", 951_868_800_000), ("2024-02-29", 1_709_164_800_000),
      ("2026-11-22", 1_795_305_600_000), ("9999-12-31", 253_402_214_400_000),
    ] as [(String, Int64)])
  func `a day starts at midnight`(day: String, milliseconds: Int64) {
    #expect(UTCDate.milliseconds(of: day) == milliseconds...milliseconds + 86_399_999)
  }

  @Test(arguments: [
    "", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-32", "2024-1-01", "24-01-01", "2024-01-01x",
    "٢٠٢٤-01-01",
  ])
  func `an invalid day is rejected`(text: String) {
    #expect(UTCDate.milliseconds(of: text) == nil)
  }
}
