import MienPlatform
import MienScanService
import Testing

/// Transition of a chunked upload to a stored file after its last byte.
@Suite struct `Completion of uploads` {
  /// Expects that the file is stored exactly once and the upload is deleted.
  private func expectKeptOnce(_ scan: String, _ fixture: FailingScanStore, _ service: ScanService) async throws {
    let file = try #require(try await service.scan(scan).files.first)
    let blob = try #require(file.blob)
    #expect(file.received == 3 && file.digest == ContentDigest(of: [1, 2, 3]))
    #expect(try await service.open(file).read(0..<9) == [1, 2, 3])
    #expect(try fixture.files() == [blob.text])
    #expect(try fixture.drafts() == 0)
  }

  /// The blob store creates a file, writes its bytes, commits it and reads its start: each step can fail.
  @Test(arguments: 0...3)
  func `uploads complete once the blob store is available again`(calls: Int) async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start()
    let (scan, upload) = try await fixture.announced(service)
    fixture.blobs.goAway(after: calls)
    let away = await #expect(throws: StoreError.self) { try await fixture.bring(upload, to: service) }
    #expect(away?.code == .unavailable)
    let isKept = calls == 3
    #expect(try await service.upload(upload).offset == (isKept ? 3 : 0))
    await #expect(throws: (any Error).self) { _ = try await service.submit(scan) }
    let waiting = try await service.scan(scan)
    #expect(waiting.status == .uploading && waiting.files.first?.isWhole == false)
    #expect(try fixture.files().count == (isKept ? 1 : 0) && fixture.drafts() == 0)
    fixture.blobs.comeBack()
    if !isKept { try await fixture.bring(upload, to: service) }
    #expect(try await service.submit(scan).status == .queued)
    try await expectKeptOnce(scan, fixture, service)
  }

  @Test func `an empty chunk completes an upload after a database outage`() async throws {
    let fixture = try FailingScanStore()
    let (store, service) = (fixture.store, try fixture.start())
    let (scan, upload) = try await fixture.announced(service)
    store.before(.whole) { store.goAway() }
    await #expect(throws: StoreError.self) { try await fixture.bring(upload, to: service) }
    await #expect(throws: StoreError.self) { _ = try await service.begin(upload, at: 3, announced: 0, checksum: nil) }
    store.comeBack()
    let empty = try await service.begin(upload, at: 3, announced: 0, checksum: nil)
    #expect(try await service.end(empty) == 3)
    #expect(try await fixture.sweep() == 0)
    try await expectKeptOnce(scan, fixture, service)
    #expect(try await service.submit(scan).status == .queued)
  }

  @Test func `the next server completes uploads after a crash`() async throws {
    let fixture = try FailingScanStore()
    let store = fixture.store
    let (scan, upload) = try await fixture.announced(try fixture.start())
    store.before(.whole) { store.goAway() }
    let dying = try fixture.start()
    await #expect(throws: StoreError.self) { try await fixture.bring(upload, to: dying) }
    store.comeBack()
    let next = try fixture.start()
    #expect(try await fixture.sweep() == 0)
    try await next.purgeUploads()
    #expect(try await next.upload(upload).offset == 3)
    #expect(try await next.submit(scan).status == .queued)
    try await expectKeptOnce(scan, fixture, next)
  }

  @Test func `files stay if the database recorded them without replying`() async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start()
    let (scan, upload) = try await fixture.announced(service)
    fixture.store.loseReplies(true, to: [.whole])
    try await fixture.bring(upload, to: service)
    fixture.store.loseReplies(false)
    let names = try fixture.files()
    #expect(try await service.submit(scan).status == .queued)
    #expect(try fixture.files() == names, "they are not stored again")
    let next = try fixture.start()
    try await next.purgeUploads()
    #expect(try await fixture.sweep() == 0)
    try await expectKeptOnce(scan, fixture, next)
  }

  @Test func `concurrent requests store a file once`() async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start()
    let (scan, upload) = try await fixture.announced(service)
    fixture.store.before(.whole) { _ = try await service.submit(scan) }
    // The late request finds it completed.
    try await fixture.bring(upload, to: service)
    #expect(try await service.scan(scan).status == .queued)
    try await expectKeptOnce(scan, fixture, service)
    #expect(try await fixture.sweep() == 0)
  }

  // MARK: - Concurrent deletion

  @Test func `nothing is left if the scan is deleted during completion`() async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start()
    let (scan, upload) = try await fixture.announced(service)
    fixture.store.before(.whole) { try await service.delete(scan) }
    let late = await #expect(throws: ServiceError.self) { try await fixture.bring(upload, to: service) }
    #expect(late?.code == .notFound)
    let gone = await #expect(throws: ServiceError.self) { _ = try await service.scan(scan) }
    #expect(gone?.code == .notFound)
    #expect(try fixture.files().isEmpty && fixture.drafts() == 0)
  }

  @Test(arguments: [false, true])
  func `nothing is left if the scan is deleted before completion`(breaksOff: Bool) async throws {
    let fixture = try FailingScanStore()
    let service = try fixture.start()
    let (scan, upload) = try await fixture.announced(service)
    let piece = try await service.begin(upload, at: 0, announced: 3, checksum: nil)
    try await piece.take([1, 2, 3])
    try await service.delete(scan)
    if breaksOff {
      await service.breakOff(piece)
    } else {
      let busy = await #expect(throws: ServiceError.self) { _ = try await service.end(piece) }
      #expect(busy?.code == .uploadBusy)
    }
    #expect(try fixture.files().isEmpty && fixture.drafts() == 0)
    let gone = await #expect(throws: ServiceError.self) {
      _ = try await service.begin(upload, at: 0, announced: 3, checksum: nil)
    }
    #expect(gone?.code == .notFound, "not the error for another request that sends bytes")
  }
}
