import Foundation
import MienCore
import Testing

@testable import MienClient

/// Upload queue against an in-process scan server, with all faults in between.
@Suite struct `Upload queue` {
  private let uploadFiles: UploadFiles
  private let peer = TusPeer()
  private let clock = StandingClock { _ in true }
  private static let chunk = 1000

  init() throws {
    uploadFiles = try UploadFiles()
  }

  private func queue(retries: Int? = nil, server: String = "https://mien.example/at") throws -> UploadQueue {
    try UploadQueue(
      folder: uploadFiles.queue, server: try #require(URL(string: server)), key: "k",
      retryPolicy: UploadRetryPolicy(retries: retries, chunk: Self.chunk), transport: peer, clock: clock,
      generator: FixedGenerator())
  }

  private func scan(_ sizes: [Int] = [2500, 10]) throws -> ScanUpload {
    ScanUpload(
      files: try sizes.enumerated().map { try uploadFiles.file("part\($0).bin", bytes: $1) }, subject: "sub_1",
      label: "left")
  }

  /// Expects that the data was received exactly once.
  private func expectArrived(_ sizes: [Int] = [2500, 10], scans: Int = 1) async throws {
    #expect(await peer.order.count == scans)
    let arrived = try #require(await peer.scans.values.first { $0.status == "queued" })
    for index in sizes.indices { #expect(arrived.files[index] == (try uploadFiles.bytes("part\(index).bin"))) }
  }

  @Test func `a scan is uploaded completely in pieces with digests and submitted`() async throws {
    let queue = try queue()
    let job = try await queue.add(try scan())
    #expect(job.state == .waiting && job.bytes == 2510)
    let updates = await queue.watch()
    #expect(try await queue.send(job.id) == .done(scan: "scn_0"))
    try await expectArrived()
    let calls = await peer.calls
    #expect(calls.map(\.method) == ["POST", "PATCH", "PATCH", "PATCH", "PATCH", "POST"])
    #expect(calls.allSatisfy { $0.headers["Authorization"] == "Bearer k" })
    #expect(calls.dropFirst().prefix(4).allSatisfy { $0.headers["Tus-Resumable"] == "1.0.0" })
    #expect(calls[1].url.absoluteString == "https://mien.example/at/v1/uploads/scn_0-0")
    var fractions: [Double] = []
    for await progress in updates {
      fractions.append(progress.fraction)
      if [.done, .refused, .paused].contains(progress.phase) { break }
    }
    #expect(fractions == fractions.sorted() && fractions.last == 1 && fractions.contains { $0 > 0 && $0 < 1 })
    // A second run neither creates another scan nor changes the outcome.
    #expect(try await queue.send(job.id) == .done(scan: "scn_0"))
    #expect(await peer.calls.count == 6)
  }

  @Test(arguments: [
    [TusPeer.FormatError.lost], [.unanswered], [.half], [.offset(0)], [.offset(99_999)], [.page()],
    [.problem(409, "offset-mismatch")], [.problem(460, "checksum-mismatch")], [.problem(423, "in-use")],
    [.problem(503, "busy", retryAfter: 9)], [.problem(500, "internal-error")], [.problem(507, "storage-full")],
    [.half, .lost, .unanswered, .half],
  ])
  func `a failed piece is sent again from the server's offset`(faults: [TusPeer.FormatError]) async throws {
    await peer.fail("PATCH", nil)
    for fault in faults { await peer.fail("PATCH", fault) }
    let queue = try queue()
    let job = try await queue.add(try scan())
    #expect(try await queue.send(job.id) == .done(scan: "scn_0"))
    try await expectArrived()
    #expect(await peer.calls.contains { $0.method == "HEAD" })
    let slept = await clock.slept
    #expect(slept.count == faults.count && slept[0] >= .milliseconds(500))
    if case .problem(503, _, _) = faults[0] { #expect(slept == [.seconds(9)]) }
  }

  @Test(arguments: ["POST", "HEAD", "GET"])
  func `other requests are retried with delays doubling up to the limit`(method: String) async throws {
    let first = try queue(retries: 0)
    let job = try await first.add(try scan())
    if method != "POST" {
      await peer.fail("PATCH", nil, .lost)
      #expect(try await first.send(job.id) == .later(code: "unreachable"))
    }
    // The second run starts with GET and, because that returns the file's offset, HEAD follows only after a fault.
    if method == "HEAD" { await peer.fail("PATCH", .lost) }
    for _ in 0..<8 { await peer.fail(method, .lost) }
    #expect(try await queue().send(job.id) == .done(scan: "scn_0"))
    try await expectArrived()
    let waits = await clock.slept.map(\.inSeconds)
    // Jitter shortens each by half at most.
    for (number, wait) in waits.prefix(8).enumerated() {
      let whole = min(60, Double(1 << number))
      #expect((whole / 2...whole).contains(wait), "\(waits)")
    }
    #expect(waits.count >= 8 && waits.count <= 9)
  }

  @Test func `a lost reply does not create a second scan`() async throws {
    await peer.fail("POST", .unanswered)
    let queue = try queue()
    let job = try await queue.add(try scan())
    #expect(try await queue.send(job.id) == .done(scan: "scn_0"))
    try await expectArrived()
    let keys = await peer.calls.filter { $0.method == "POST" }.prefix(2).map { $0.headers["Idempotency-Key"] }
    #expect(keys == [job.id, job.id])
  }

  @Test func `a submission with a lost reply is not sent twice`() async throws {
    await peer.fail("POST", nil, .unanswered)
    await peer.heed { [peer] call in
      // The server has begun processing by the time of the next request.
      if call.url.path.hasSuffix("/submit") { await peer.set("scn_0", status: "working") }
    }
    let first = try queue(retries: 0)
    let job = try await first.add(try scan())
    #expect(try await first.send(job.id) == .later(code: "unreachable"))
    #expect(try await queue().send(job.id) == .done(scan: "scn_0"))
    #expect(await peer.calls.filter { $0.url.path.hasSuffix("/submit") }.count == 1)
  }

  @Test func `exhausted retries leave the job waiting and a new process resumes at the server's offset`() async throws {
    await peer.fail("PATCH", nil, .lost, .lost, .lost)
    await peer.fail("HEAD", .lost, .lost)
    let first = try queue(retries: 2)
    let job = try await first.add(try scan(), copies: true)
    #expect(try await first.send(job.id) == .later(code: "unreachable"))
    #expect(try await first.jobs().map(\.state) == [.waiting])
    let before = await peer.calls.count
    #expect(try await queue().send(job.id) == .done(scan: "scn_0"))
    try await expectArrived()
    let resumed = await peer.calls.dropFirst(before)
    #expect(resumed.first?.method == "GET")
    #expect(resumed.first { $0.method == "PATCH" }?.headers["Upload-Offset"] == "1000")
  }

  @Test(arguments: [(401, "unauthorized"), (403, "forbidden"), (413, "body-too-large"), (422, "bad-value")])
  func `a rejected job is reported with the server's code and can be sent again`(
    status: Int, code: String
  ) async throws {
    await peer.fail("POST", .problem(status, code))
    let queue = try queue()
    let job = try await queue.add(try scan())
    let end = try await queue.send(job.id)
    #expect(end == .refused(UploadJob.Problem(code: code, detail: "The words of \(code).")))
    #expect(try await queue.jobs().first?.problem?.code == code)
    #expect(await clock.slept.isEmpty)
    try await queue.resume(job.id)
    try await queue.run()
    try await expectArrived()
  }

  @Test func `a scan lost by the server is restarted a limited number of times`() async throws {
    await peer.heed { [peer] call in
      if call.headers["Upload-Offset"] == "2000" { await peer.lose("scn_0") }
    }
    let job = try await queue().add(try scan())
    #expect(try await queue().send(job.id) == .done(scan: "scn_1"))
    try await expectArrived(scans: 2)
    let again = TusPeer()
    await again.heed { call in
      if call.method == "PATCH" {
        await again.lose(call.url.lastPathComponent.split(separator: "-").first.map(String.init) ?? "")
      }
    }
    let lost = try UploadQueue(
      folder: uploadFiles.queue, server: try #require(URL(string: "https://lost.example")), transport: again,
      clock: clock)
    let other = try await lost.add(try scan())
    guard case .refused(let problem) = try await lost.send(other.id) else {
      Issue.record("it was not refused")
      return
    }
    #expect(problem.code == "not-found")
    #expect(await again.order.count == 4)
  }

  @Test(arguments: [401, 403, 404, 410])
  func `error pages of a proxy do not lose or abandon a scan`(status: Int) async throws {
    await peer.fail("POST", .page(status))
    await peer.fail("PATCH", nil, .lost, .page(status))
    await peer.fail("HEAD", .page(status))
    await peer.fail("GET", .page(status))
    let queue = try queue()
    let job = try await queue.add(try scan())
    #expect(try await queue.send(job.id) == .done(scan: "scn_0"))
    try await expectArrived()
    let keys = await peer.calls.compactMap { $0.headers["Idempotency-Key"] }
    #expect(keys == [job.id, job.id])
  }

  @Test func `an upload that is missing on the server is detected by HEAD`() async throws {
    let first = try queue(retries: 0)
    let job = try await first.add(try scan())
    await peer.fail("PATCH", nil, .lost)
    #expect(try await first.send(job.id) == .later(code: "unreachable"))
    await peer.fail("PATCH", .lost)
    await peer.heed { [peer] call in
      if call.method == "HEAD" { await peer.lose("scn_0") }
    }
    #expect(try await queue().send(job.id) == .done(scan: "scn_1"))
    try await expectArrived(scans: 2)
  }

  @Test func `changed, truncated or missing files are reported and not sent`() async throws {
    let queue = try queue()
    var codes: [String] = []
    for (name, harm) in [
      ("a", { (place: URL) in try Data(count: 300).write(to: place) }),
      (
        "b",
        { place in
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: place.path)
        }
      ),
      ("c", { place in try FileManager.default.removeItem(at: place) }),
    ] as [(String, (URL) throws -> Void)] {
      let file = try uploadFiles.file(name, bytes: 200)
      let job = try await queue.add(ScanUpload(files: [file]), id: name)
      try harm(file.place)
      if case .refused(let problem) = try await queue.send(job.id) { codes.append(problem.code) }
    }
    #expect(codes == [UploadJob.Problem.changed, UploadJob.Problem.changed, UploadJob.Problem.missing])
    #expect(await peer.calls.allSatisfy { $0.method == "POST" })
  }

  @Test func `copied files are owned by the queue and the originals can be deleted`() async throws {
    let queue = try queue()
    let upload = try scan()
    let job = try await queue.add(upload, copies: true)
    let kept = try uploadFiles.bytes("part0.bin")
    for file in upload.files { try FileManager.default.removeItem(at: file.place) }
    try await queue.run()
    #expect(await peer.scans["scn_0"]?.files.first == kept)
    try await queue.remove(job.id)
    #expect(try FileManager.default.contentsOfDirectory(atPath: uploadFiles.queue.path) == ["drafts"])
  }

  @Test func `pausing keeps uploaded data and cancelling deletes it`() async throws {
    let queue = try queue()
    let paused = try await queue.add(try scan(), id: "one")
    await peer.heed { call in
      guard call.headers["Upload-Offset"] == "1000" else { return }
      Task { try await queue.pause("one") }
      while !Task.isCancelled { await Task.yield() }
    }
    _ = try await queue.send(paused.id)
    while try await queue.jobs().first?.state == .waiting { await Task.yield() }
    #expect(try await queue.jobs().map(\.state) == [.paused])
    try await queue.run()
    #expect(await peer.scans["scn_0"]?.status == "uploading")
    await peer.heed { _ in }
    try await queue.resume("one")
    try await queue.run()
    try await expectArrived()
    let second = try await queue.add(try scan([5000]), id: "two")
    await peer.fail("PATCH", nil, .lost)
    _ = try await self.queue(retries: 0).send(second.id)
    #expect(await peer.scans.count == 2)
    try await queue.cancel("two")
    #expect(await peer.scans.count == 1)
    #expect(try await queue.jobs().map(\.id) == ["one"])
  }

  /// Delays the third request until it is released; reports when the server has received it.
  private func held() async -> (arrived: AsyncStream<Void>, release: @Sendable () -> Void) {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (arrived, arrive) = AsyncStream<Void>.makeStream()
    await peer.heed { call in
      guard call.headers["Upload-Offset"] == "1000" else { return }
      arrive.yield()
      for await _ in gate { break }
    }
    return (arrived, { open.finish() })
  }

  @Test func `all callers waiting for a job get its result even if the first is canceled`() async throws {
    let queue = try queue()
    let job = try await queue.add(try scan())
    let (arrived, release) = await held()
    let first = Task { try await queue.send(job.id) }
    for await _ in arrived { break }
    let meddler = Task {
      while await queue.waiting(for: job.id) < 2 { await Task.yield() }
      first.cancel()
      while await queue.waiting(for: job.id) > 1 { await Task.yield() }
      release()
    }
    #expect(try await queue.send(job.id) == .done(scan: "scn_0"))
    #expect(try await first.value == .done(scan: "scn_0"))
    await meddler.value
    try await expectArrived()
    #expect(await peer.calls.map(\.method) == ["POST", "PATCH", "PATCH", "PATCH", "PATCH", "POST"], "sent once")
  }

  @Test func `a job without waiting callers is paused and sent when requested again`() async throws {
    let queue = try queue()
    let job = try await queue.add(try scan())
    let (arrived, release) = await held()
    let only = Task { try await queue.send(job.id) }
    for await _ in arrived { break }
    only.cancel()
    #expect(try await only.value == .paused)
    #expect(try await queue.jobs().map(\.state) == [.waiting])
    release()
    #expect(try await queue.send(job.id) == .done(scan: "scn_0"))
    try await expectArrived()
  }

  @Test func `a second run waits for the first`() async throws {
    let queue = try queue()
    try await queue.add(try scan())
    let (arrived, release) = await held()
    let first = Task { try await queue.run() }
    for await _ in arrived { break }
    let second = Task {
      try await queue.run()
      return try await queue.jobs().map(\.state)
    }
    for _ in 0..<500 { _ = try await queue.jobs() }
    release()
    #expect(try await second.value == [.done])
    try await first.value
    try await expectArrived()
  }

  @Test func `jobs keep their order and their server`() async throws {
    let queue = try queue()
    for id in ["zz", "aa", "mm"] { try await queue.add(try scan([10]), id: id, copies: true) }
    try await self.queue(server: "https://other.example").add(try scan([10]), id: "other")
    #expect(try await queue.jobs().map(\.id) == ["zz", "aa", "mm"])
    #expect(try await queue.add(try scan([99]), id: "aa").bytes == 10)
    try await queue.run()
    #expect(await peer.order.count == 3)
    #expect(try await queue.jobs().allSatisfy { $0.state == .done })
  }

  @Test(arguments: ["", "..", "a/b", "drafts", String(repeating: "x", count: 65)])
  func `an invalid job id creates no folder`(id: String) async throws {
    let queue = try queue()
    let upload = try scan()
    let error = await #expect(throws: UploadError.self) { try await queue.add(upload, id: id) }
    #expect(error?.code == .unusableName)
  }

  @Test(arguments: ["", "/etc/passwd", "../up", "a//b", "a\\b", "a\u{0}b", "."])
  func `a file name stays within its folder`(name: String) async throws {
    var file = try uploadFiles.file("x", bytes: 1)
    file.name = name
    let (queue, upload) = (try queue(), ScanUpload(files: [file]))
    let error = await #expect(throws: UploadError.self) { try await queue.add(upload) }
    #expect(error?.code == .unusableName)
  }

  @Test func `an invalid job is reported when it is added`() async throws {
    let queue = try queue()
    #expect(await #expect(throws: UploadError.self) { try await queue.add(ScanUpload(files: [])) }?.code == .noFiles)
    for place in [uploadFiles.folder, uploadFiles.folder.appendingPathComponent("none")] {
      let upload = ScanUpload(files: [.init(name: "a", place: place)])
      #expect(await #expect(throws: UploadError.self) { try await queue.add(upload) }?.code == .unreadableFile)
    }
    let taken = uploadFiles.folder.appendingPathComponent("taken")
    try Data().write(to: taken)
    let error = #expect(throws: UploadError.self) {
      try UploadQueue(folder: taken, server: uploadFiles.folder, transport: peer)
    }
    #expect(error?.code == .storage)
  }
}
