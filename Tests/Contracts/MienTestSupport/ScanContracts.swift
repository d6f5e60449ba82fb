internal import MienPlatform
public import MienCaptures
public import MienScanService
internal import Testing

private func scan(_ letter: Character) throws -> ScanID {
  try #require(ScanID("scn_" + String(repeating: letter, count: 32)))
}

private func upload(_ letter: Character) throws -> UploadID {
  try #require(UploadID("upl_" + String(repeating: letter, count: 32)))
}

private func sample(
  _ letter: Character, at milliseconds: Int64, subject: ScanSubjectID? = nil, label: String? = nil
) throws -> ScanRecord {
  let time = UnixTime(milliseconds: milliseconds)
  return ScanRecord(
    id: try scan(letter), subject: subject, label: label, kind: .face, photosExpected: 3, created: time, changed: time,
    status: .uploading,
    files: [
      ScanRecord.File(
        name: "a/b.png", bytes: 10, received: 0, type: "application/octet-stream", upload: try upload(letter))
    ])
}

/// Conformance test for ``ScanStore``.
public func checkScanStore(_ make: () async throws -> some ScanStore & CaptureStore) async throws {
  let store = try await make()
  try await checkUploads(store)
  try await checkWork(store)
  try await checkSubjects(store)
}

private func checkUploads(_ store: some ScanStore & CaptureStore) async throws {
  let (one, time) = (try sample("a", at: 1000), UnixTime(milliseconds: 2000))
  let (owner, digest) = (SecretDigest(of: "key"), ContentDigest(of: [1]))
  try await store.save(one, owner: owner, request: "r1")
  #expect(try await store.scan(one.id) == one)
  let twice = await #expect(throws: StoreError.self) {
    try await store.save(sample("b", at: 1), owner: owner, request: "r1")
  }
  #expect(twice?.code == .duplicate)
  #expect(try await store.scan(scan("b")) == nil, "nothing is stored of a failed scan")
  #expect(try await store.scan(of: owner, request: "r1") == one.id)
  #expect(try await store.scan(of: nil, request: "r1") == nil)
  #expect(try await store.openScans(of: owner) == 1)
  #expect(try await store.openScans(of: nil) == 0)

  let coming = try upload("a")
  let piece = StoredChunk(range: 0..<4, blob: try #require(BlobID("b-scan-piece")))
  _ = try await store.take(coming, at: 0, for: "one")
  #expect(try await store.add(piece, to: coming, by: "one", at: time))
  #expect(try await store.upload(coming)?.file.received == 4)
  #expect(try await store.scan(one.id)?.changed == time)
  #expect(
    try await !store.move(one.id, from: [.uploading], to: .queued, problem: nil, at: time), "a file is incomplete")
  let blob = try #require(BlobID("b-scan"))
  #expect(try await !store.wants(blob))
  #expect(try await store.whole(coming, type: "image/png", blob: blob, digest: digest, at: time))
  #expect(try await !store.whole(coming, type: "image/png", blob: blob, digest: digest, at: time))
  let file = try #require(await store.upload(coming)?.file)
  #expect(file.isWhole && file.received == 10 && file.digest == digest && file.type == "image/png")
  #expect(try await store.wants(blob))
  #expect(try await store.wants(piece.blob))

  let more = ScanRecord.File(name: "c", bytes: 1, received: 0, type: "x", upload: try upload("c"))
  let (roomy, tight) = (ScanFileLimits(files: 10, bytes: 1000), ScanFileLimits(files: one.files.count, bytes: 1000))
  #expect(try await store.addFile(more, to: one.id, within: tight, at: time) == .full)
  let sum = one.files.map(\.bytes).reduce(0, +)
  #expect(try await store.addFile(more, to: one.id, within: ScanFileLimits(files: 10, bytes: sum), at: time) == .full)
  #expect(try await store.upload(upload("c")) == nil)
  #expect(
    try await store.addFile(more, to: one.id, within: ScanFileLimits(files: 10, bytes: sum + 1), at: time) == .added)
  let again = await #expect(throws: StoreError.self) {
    _ = try await store.addFile(more, to: one.id, within: roomy, at: time)
  }
  #expect(again?.code == .duplicate)
  #expect(try await store.addFile(more, to: scan("z"), within: roomy, at: time) == .closed)
  // Concurrent requests get no more space than available.
  let added = try await withThrowingTaskGroup(of: AddFileResult.self) { group in
    for letter in "ghijklmnopqr" {
      let file = ScanRecord.File(name: "\(letter)", bytes: 10, received: 0, type: "x", upload: try upload(letter))
      group.addTask {
        try await store.addFile(file, to: one.id, within: ScanFileLimits(files: 100, bytes: sum + 1 + 50), at: time)
      }
    }
    return try await group.reduce(into: []) { $0.append($1) }
  }
  #expect(added.count(where: { $0 == .added }) == 5 && added.count(where: { $0 == .full }) == 7)
  for letter in "ghijklmnopqr" { _ = try await store.deleteUpload(upload(letter)) }
  #expect(try await store.abandonedScans(before: UnixTime(milliseconds: 2001)) == [one.id])
  #expect(try await store.abandonedScans(before: time).isEmpty)
  #expect(try await store.deleteUpload(upload("c"))?.uploads == [upload("c")])
  #expect(try await store.deleteUpload(upload("c")) == nil)
}

/// Continues with the scan of ``checkUploads``.
private func checkWork(_ store: some ScanStore) async throws {
  let (id, time) = (try scan("a"), UnixTime(milliseconds: 3000))
  #expect(try await store.acquire(at: time) == nil)
  #expect(try await store.move(id, from: [.uploading], to: .queued, problem: nil, at: time))
  #expect(try await !store.move(id, from: [.uploading], to: .queued, problem: nil, at: time))
  #expect(try await store.putBack(at: time) == 0)
  _ = try #require(await store.acquire(at: time))
  #expect(try await store.putBack(at: time) == 1, "the server that acquired it has not been notified")
  let back = try #require(await store.scan(id))
  #expect(back.status == .queued && back.attempts == 0 && back.progress == nil)
  let taken = try #require(await store.acquire(at: time))
  #expect(taken.id == id && taken.status == .working && taken.attempts == 1 && taken.files.count == 1)
  #expect(try await store.acquire(at: time) == nil, "no other caller gets it")
  #expect(try await store.workingScans().map(\.id) == [id])
  #expect(try await store.progressed(id, ScanRecord.Progress(.fusing, 0.25), at: time))
  #expect(try await store.scan(id)?.progress == ScanRecord.Progress(.fusing, 0.25))

  let (first, second) = (try #require(BlobID("b-first")), try #require(BlobID("b-second")))
  func result(_ blob: BlobID) -> ScanRecord.File {
    ScanRecord.File(name: "m.glb", bytes: 1, received: 1, type: "x", blob: blob, digest: ContentDigest(of: []))
  }
  let outcome = ScanReport(
    photos: [
      ScanReport.Photo(name: "p", width: 1, height: 2),
      ScanReport.Photo(
        name: "q", width: 1, height: 2, measures: [.init(name: "sharpness", value: 7.5, unit: "Laplacian", score: nil)]),
    ],
    report: ScanReport.Report(
      outcome: "warn",
      items: [
        ScanReport.Report.Item(
          name: "speed", outcome: "warn", value: 0.5, unit: "m/s",
          remarks: [ScanReport.Remark(code: "speed.fast", values: ["most": "50"], text: "Slower.")])
      ]), remarks: [ScanReport.Remark(code: "note.no-poses", values: [:], text: "a note")])
  #expect(try await store.finish(id, outcome: outcome, results: [result(first)], at: time) == [])
  #expect(
    try await store.finish(id, outcome: outcome, results: [result(second)], at: time) == nil, "the scan is already done"
  )
  let done = try #require(await store.scan(id))
  #expect(done.status == .done && done.outcome == outcome && done.results == [result(first)] && done.progress == nil)
  #expect(try await store.move(id, from: [.done], to: .queued, problem: nil, at: time))
  _ = try await store.acquire(at: time)
  #expect(try await store.finish(id, outcome: outcome, results: [result(second)], at: time) == [first])

  let content = ContentDigest(of: [7])
  try await store.setContent(content, of: id)
  #expect(try await store.scan(ofContent: content) == id)
  let problem = ScanRecord.Problem(code: "damaged", detail: "words")
  #expect(try await store.move(id, from: [.done], to: .failed, problem: problem, at: time))
  #expect(try await store.scan(id)?.problem == problem)
  #expect(try await store.scan(ofContent: content) == nil, "a failed scan may be sent again")
  try await store.setAttempts(0, of: id)
  #expect(try await store.scan(id)?.attempts == 0)
  #expect(try await store.scans(createdBefore: UnixTime(milliseconds: 1001)) == [id])
  let erased = try #require(await store.deleteScan(id))
  #expect(Set(erased.blobs.map(\.text)) == ["b-scan", "b-second"] && erased.scans == 1)
  #expect(try await store.deleteScan(id) == nil)
}

private func checkSubjects(_ store: some ScanStore) async throws {
  let id = try #require(ScanSubjectID("sub_" + String(repeating: "s", count: 32)))
  var subject = ScanSubject(
    id: id, name: "Ada 100%", note: nil, due: "2031-05-04", created: UnixTime(milliseconds: 5))
  let missing = await #expect(throws: StoreError.self) {
    try await store.save(sample("d", at: 1, subject: id), owner: nil, request: nil)
  }
  #expect(missing?.code == .missing)
  try await store.save(subject)
  for (letter, time) in zip("def", [10, 20, 20] as [Int64]) {
    try await store.save(
      sample(letter, at: time, subject: letter == "d" ? nil : id, label: "label \(letter)"), owner: nil, request: nil)
  }
  subject.scans = 2
  subject.note = "a note"
  #expect(try await store.update(subject))
  #expect(try await store.scanSubject(id) == subject)
  var query = ScanSubjectQuery()
  query.due = "2031-05-04"
  query.text = "0%"
  #expect(try await store.scanSubjects(query).items == [subject])
  query.text = "0_"
  #expect(try await store.scanSubjects(query).total == 0, "pattern characters are matched literally")

  var wanted = ScanQuery()
  wanted.limit = 2
  let page = try await store.scans(wanted)
  #expect(try page.items.map(\.id) == [scan("f"), scan("e")] && page.total == 3)
  wanted.after = page.next
  let rest = try await store.scans(wanted)
  #expect(try rest.items.map(\.id) == [scan("d")] && rest.total == 3 && rest.next == nil)
  let filters: [(inout ScanQuery) -> Void] = [
    { $0.subject = id }, { $0.text = "aDa" }, { $0.created = 20...20 }, { $0.label = "label d" },
    { $0.status = .done },
  ]
  for (filter, count) in zip(filters, [2, 2, 2, 1, 0]) {
    var query = ScanQuery()
    filter(&query)
    #expect(try await store.scans(query).total == count)
  }
  #expect(try await store.describe(scan("d"), subject: id, label: nil))
  #expect(try await store.scan(scan("d"))?.subjectName == "Ada 100%")
  #expect(try await store.scans(of: id) == [scan("d"), scan("e"), scan("f")])
  let erased = try #require(await store.deleteScanSubject(id))
  #expect(erased.scans == 3 && erased.uploads.count == 3)
  #expect(try await store.deleteScanSubject(id) == nil)
  #expect(try await store.scans(ScanQuery()).total == 0)
}
