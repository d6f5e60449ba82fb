import Foundation
import MienCore
import Testing

@testable import MienClient

/// State on disk after termination of the process, and components of the queue.
@Suite struct `Upload journal` {
  private let uploadFiles: UploadFiles

  init() throws {
    uploadFiles = try UploadFiles()
  }

  private func job(_ journal: UploadJournal, id: String = "job") throws -> UploadJob {
    let job = UploadJob(
      id: id, server: "https://mien.example", number: 0, subject: nil, label: nil, kind: .face,
      files: [UploadJob.File(name: "a", place: "files/0", bytes: 3, modified: 0)])
    let source = uploadFiles.folder.appendingPathComponent("a")
    try Data([1, 2, 3]).write(to: source)
    try journal.add(job, copies: ["files/0": source])
    return job
  }

  @Test func `a truncated or corrupt journal falls back to the previous one`() throws {
    let journal = try UploadJournal(uploadFiles.queue)
    var job = try job(journal)
    job.scan = "scn_1"
    try journal.save(&job)
    let folder = journal.place(of: "job")
    let whole = try Data(contentsOf: folder.appendingPathComponent("journal-000000000001.json"))
    // All possible lengths of a partially written file.
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: folder.appendingPathComponent("journal-000000000002.json"))
      #expect(journal.job("job") == job)
    }
    try Data("{}".utf8).write(to: folder.appendingPathComponent("journal-000000000003.json"))
    try Data([0xFF, 0, 1]).write(to: folder.appendingPathComponent("journal.draft"))
    #expect(journal.job("job")?.scan == "scn_1")
    // The next change overwrites all of that.
    job.edition = 3
    job.state = .done
    try journal.save(&job)
    #expect(journal.job("job")?.state == .done)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "files", "journal-000000000004.json",
      ])
  }

  @Test func `a job is stored completely or not at all`() throws {
    let journal = try UploadJournal(uploadFiles.queue)
    // Terminated while adding: a draft, which is not a job and does no harm.
    let draft = uploadFiles.queue.appendingPathComponent("drafts/job/files")
    try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
    #expect(try journal.names().isEmpty)
    _ = try job(journal)
    #expect(try journal.names() == ["job"])
    #expect(throws: UploadError.self) { try job(journal, id: "job") }
    #expect(journal.job("job") != nil)
    try journal.remove("job")
    #expect(try journal.names().isEmpty)
  }

  @Test func `drafts of crashed programs are deleted unless a process is using them`() throws {
    let journal = try UploadJournal(uploadFiles.queue)
    _ = try job(journal)
    let drafts = uploadFiles.queue.appendingPathComponent("drafts")
    func left() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: drafts.path).filter { $0 != ".lock" }.sorted()
    }
    for name in ["half/files", "removed-job"] {
      try FileManager.default.createDirectory(
        at: drafts.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    do {
      let adding = try journal.lockDrafts(.shared)
      _ = try UploadJournal(uploadFiles.queue)
      #expect(try left() == ["half", "removed-job"])
      withExtendedLifetime(adding) {}
    }
    _ = try UploadJournal(uploadFiles.queue)
    #expect(try left().isEmpty && journal.names() == ["job"])
    // Adding and deleting jobs leaves no drafts and releases all locks.
    try journal.remove("job")
    _ = try job(journal)
    #expect(try left().isEmpty && journal.job("job") != nil)
  }

  @Test func `a job with only corrupt journals is reported and can be removed`() async throws {
    let journal = try UploadJournal(uploadFiles.queue)
    _ = try job(journal)
    let file = journal.place(of: "job").appendingPathComponent("journal-000000000000.json")
    try Data("nothing".utf8).write(to: file)
    let queue = try UploadQueue(
      folder: uploadFiles.queue, server: try #require(URL(string: "https://mien.example")), transport: TusPeer())
    #expect(try await queue.jobs().isEmpty)
    #expect(try await queue.damaged() == ["job"])
    try await queue.remove("job")
    #expect(try await queue.damaged().isEmpty)
  }

  @Test func `two processes do not send the same job`() async throws {
    let journal = try UploadJournal(uploadFiles.queue)
    _ = try job(journal)
    let lock = try journal.lock("job")
    let queue = try UploadQueue(
      folder: uploadFiles.queue, server: try #require(URL(string: "https://mien.example")), transport: TusPeer())
    let error = await #expect(throws: UploadError.self) { try await queue.send("job") }
    #expect(error?.code == .inUse)
    withExtendedLifetime(lock) {}
  }

  @Test func `files are readable only by their owner and printing reveals nothing`() throws {
    let journal = try UploadJournal(uploadFiles.queue)
    let job = try job(journal)
    for path in ["", "job", "job/journal-000000000000.json", "job/files/0"] {
      let rights =
        try FileManager.default.attributesOfItem(
          atPath: uploadFiles.queue.appendingPathComponent(path).path)[.posixPermissions] as? NSNumber
      #expect((rights?.intValue ?? 0o777) & 0o077 == 0, "\(path)")
    }
    #expect("\(job)" == "UploadJob(job, waiting, 1 files)")
  }

  @Test(arguments: [
    ("https://evil.example/v1/uploads/x", false), ("//evil.example/v1/uploads/x", false), ("/v1/uploads/", false),
    ("/v1/uploads/../keys", false), ("/v1/uploads/a?b", false), ("/v1/uploads/upl_1-2", true),
  ])
  func `a server address is accepted only for its own uploads`(path: String, isTaken: Bool) {
    #expect(UploadNameRules.isUpload(path) == isTaken)
  }

  @Test func `speed is averaged over the last seconds and not reported too early`() {
    var meter = TransferRateEstimator(window: .seconds(10))
    #expect(meter.speed == nil && meter.timeLeft(of: 10) == nil)
    for second in 0...30 {
      meter.note(second <= 10 ? second * 100 : 1000 + (second - 10) * 10, at: .zero + .seconds(Double(second)))
    }
    #expect(meter.speed == 10)
    #expect(meter.timeLeft(of: 1300) == .seconds(10))
    meter.note(0, at: .zero + .seconds(31))
    #expect(meter.speed == nil)
  }

  @Test func `retry delays double, are reduced randomly by at most half and respect the server`() {
    let retryPolicy = UploadRetryPolicy(retries: 3, firstWait: .seconds(2), longestWait: .seconds(6))
    #expect((1...4).map { retryPolicy.wait(after: $0, asked: nil, chance: 0)?.inSeconds } == [2, 4, 6, nil])
    #expect(retryPolicy.wait(after: 1, asked: nil, chance: 1) == .seconds(1))
    #expect(retryPolicy.wait(after: 1, asked: .seconds(90), chance: 1) == .seconds(90))
    #expect(UploadRetryPolicy().wait(after: .max, asked: nil, chance: 0) == .seconds(60))
  }
}
