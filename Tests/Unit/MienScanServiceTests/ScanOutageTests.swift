import MienCore
import MienPlatform
import MienScanService
import MienTestSupport
import Testing

/// Scans whose store or files become unavailable during processing.
@Suite struct `Scan processing during outages` {
  /// Processing step that creates one result from the scan's file.
  private static let work: @Sendable (ScanProcessingJob) async throws -> ScanReport = { job in
    let file = try #require(job.scan.files.first)
    try await job.keep("made.bin", type: "application/octet-stream", try await job.open(file).read(0..<3) + [4])
    return ScanReport()
  }

  /// Expects that the scan is done, with exactly one file and one result.
  private func expectDone(_ scan: String, _ fixture: FailingScanStore, _ service: ScanService) async throws {
    let done = try await service.scan(scan)
    #expect(done.status == .done && done.problem == nil && done.progress == nil)
    #expect(done.results.map(\.name) == ["made.bin"])
    let result = try #require(done.results.first)
    #expect(try await service.open(result).read(0..<9) == [1, 2, 3, 4])
    #expect(try fixture.files().count == 2 && fixture.drafts() == 0)
  }

  /// Returns a scan during whose final update the database became unavailable.
  private func interrupted(_ fixture: FailingScanStore, _ service: ScanService) async throws -> String {
    let scan = try await fixture.submitted(service)
    let store = fixture.store
    store.before(.finish) { store.goAway() }
    let away = await #expect(throws: StoreError.self) { _ = try await service.workOnNext() }
    #expect(away?.code == .unavailable)
    return scan
  }

  // MARK: - Unavailable database

  @Test func `scans complete once the database is back regardless of the outage's length`() async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start(work: Self.work)
    let scan = try await interrupted(fixture, service)
    for _ in 0..<5 {
      fixture.clock.advance(by: .seconds(1000))
      await #expect(throws: StoreError.self) { _ = try await service.workOnNext() }
      #expect(try await fixture.kept(scan).status == .working, "the outcome cannot be stored yet")
    }
    fixture.store.comeBack()
    #expect(try await !service.workOnNext(), "processing pauses first")
    let waiting = try await service.scan(scan)
    #expect(waiting.status == .queued && waiting.attempts == 0 && waiting.problem == nil)
    fixture.clock.advance(by: .seconds(5))
    #expect(try await service.workOnNext())
    #expect(try await service.scan(scan).attempts == 1, "an outage of the database does not count as an attempt")
    #expect(try await fixture.sweep() == 1, "the unreferenced result of the first attempt")
    try await expectDone(scan, fixture, service)
  }

  @Test func `scans are not processed again if the database stored the result without replying`() async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start(work: Self.work)
    let scan = try await fixture.submitted(service)
    fixture.store.loseReplies(true, to: [.finish])
    await #expect(throws: StoreError.self) { _ = try await service.workOnNext() }
    fixture.store.loseReplies(false)
    fixture.clock.advance(by: .seconds(60))
    #expect(try await !service.workOnNext())
    #expect(try await service.scan(scan).attempts == 1)
    #expect(try await fixture.sweep() == 0, "none of it was treated as unreferenced")
    try await expectDone(scan, fixture, service)
  }

  @Test func `scans complete if the reply to claiming them was lost`() async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start(work: Self.work)
    let scan = try await fixture.submitted(service)
    fixture.store.loseReplies(true, to: [.acquire])
    for _ in 0..<4 {
      await #expect(throws: StoreError.self) { _ = try await service.workOnNext() }
      #expect(try await fixture.kept(scan).status == .working)
    }
    fixture.store.loseReplies(false)
    #expect(try await service.workOnNext())
    #expect(try await service.scan(scan).attempts == 1)
    try await expectDone(scan, fixture, service)
  }

  @Test func `scans deleted before their result was stored stay deleted`() async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start(work: Self.work)
    let scan = try await interrupted(fixture, service)
    fixture.store.comeBack()
    try await service.delete(scan)
    for _ in 0..<3 {
      #expect(try await !service.workOnNext())
      fixture.clock.advance(by: .seconds(60))
    }
    let gone = await #expect(throws: ServiceError.self) { _ = try await service.scan(scan) }
    #expect(gone?.code == .notFound)
    #expect(try await service.scans(ScanQuery()).total == 0)
    #expect(try await fixture.sweep() == 1, "the unreferenced result")
    #expect(try fixture.files().isEmpty)
  }

  @Test func `scans canceled before their result was stored stay canceled`() async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start(work: Self.work)
    let scan = try await interrupted(fixture, service)
    fixture.store.comeBack()
    #expect(try await service.cancel(scan).status == .cancelled)
    for _ in 0..<3 {
      #expect(try await !service.workOnNext())
      fixture.clock.advance(by: .seconds(60))
    }
    #expect(try await service.scan(scan).status == .cancelled)
    _ = try await service.retry(scan)
    #expect(try await service.workOnNext())
    #expect(try await fixture.sweep() == 1, "the unreferenced result of the first attempt")
    try await expectDone(scan, fixture, service)
  }

  @Test func `scans are taken over by the next server after a crash`() async throws {
    let fixture = try FailingScanStore()
    let scan = try await interrupted(fixture, try fixture.start(work: Self.work))
    fixture.store.comeBack()
    let next = try fixture.start(work: Self.work)
    #expect(try await !next.workOnNext(), "work that another server may hold is not started")
    try await next.resume()
    #expect(try await next.scan(scan).status == .queued)
    #expect(try await next.workOnNext())
    #expect(try await next.scan(scan).attempts == 2, "a crash counts as an attempt")
    #expect(try await fixture.sweep() == 1, "the unreferenced result of the first attempt")
    try await expectDone(scan, fixture, next)
  }

  @Test(arguments: [false, true])
  func `scans are left to the next server on shutdown`(isAway: Bool) async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start { job in
      try await job.report(.fusing, 0)
      try await job.keep("half.bin", type: "application/octet-stream", [9])
      // Until the server ends.
      while true {
        try await job.report(.fusing, 1)
        await Task.yield()
      }
    }
    let scan = try await fixture.submitted(service)
    let worker = Task { try await service.workOnNext() }
    try await eventually { try fixture.files().count == 2 }
    if isAway { fixture.store.goAway() }
    worker.cancel()
    if isAway {
      await #expect(throws: StoreError.self) { _ = try await worker.value }
    } else {
      #expect(try await worker.value)
    }
    fixture.store.comeBack()
    // A server that can still update the database does so, and then its termination does not count as an attempt.
    let left = try await fixture.kept(scan)
    #expect(left.status == (isAway ? .working : .queued) && left.attempts == (isAway ? 1 : 0))
    #expect(try await fixture.sweep() == (isAway ? 1 : 0), "the unreferenced results so far")
    let next = try fixture.start(work: Self.work)
    try await next.resume()
    #expect(try await next.workOnNext())
    try await expectDone(scan, fixture, next)
  }

  // MARK: - Unavailable files

  @Test func `scans are retried while files are unavailable and given up after a limit`() async throws {
    var settings = ScanSettings()
    settings.outage = .seconds(60)
    let fixture = try FailingScanStore(settings)
    let service = try fixture.start(work: Self.work)
    let scan = try await fixture.submitted(service)
    fixture.blobs.goAway()
    var tries: [Int] = []
    for second in 0..<120 where try await service.scan(scan).status != .failed {
      do {
        #expect(try await !service.workOnNext(), "processing pauses meanwhile")
      } catch let error as StoreError {
        #expect(error.code == .unavailable)
        tries.append(second)
        #expect(try await service.scan(scan).status == (second < 60 ? .queued : .failed))
        #expect(try await service.scan(scan).attempts <= 1)
      }
      fixture.clock.advance(by: .seconds(1))
    }
    #expect(tries.first == 0 && tries.count > 4 && (60..<91).contains(tries.last ?? 0), "\(tries)")
    let failed = try await service.scan(scan)
    #expect(failed.status == .failed && failed.problem?.code == "unavailable")
    // The scan was not the cause: a user may retry it.
    fixture.blobs.comeBack()
    _ = try await service.retry(scan)
    fixture.clock.advance(by: .seconds(30))
    #expect(try await service.workOnNext())
    try await expectDone(scan, fixture, service)
  }

  @Test func `scans get the full retry time again after another outage`() async throws {
    var settings = ScanSettings()
    settings.outage = .seconds(60)
    let fixture = try FailingScanStore(settings)
    let service = try fixture.start(work: Self.work)
    let scan = try await fixture.submitted(service)
    fixture.blobs.goAway()
    await #expect(throws: StoreError.self) { _ = try await service.workOnNext() }
    fixture.clock.advance(by: .seconds(50))
    fixture.blobs.comeBack()
    #expect(try await service.workOnNext())
    try await expectDone(scan, fixture, service)
    _ = try await service.retry(scan)
    fixture.blobs.goAway()
    fixture.clock.advance(by: .seconds(50))
    await #expect(throws: StoreError.self) { _ = try await service.workOnNext() }
    #expect(try await service.scan(scan).status == .queued, "the first outage no longer counts")
    fixture.blobs.comeBack()
    fixture.clock.advance(by: .seconds(5))
    #expect(try await service.workOnNext())
    try await expectDone(scan, fixture, service)
  }
}
