public import Foundation
internal import MienCore

/// Durable queue that uploads scans to a server one after the other and resumes interrupted uploads.
///
/// An added job is stored on disk with the names of all its files. It survives termination of the process at any point,
/// continues with ``run()`` in the next process, and creates only one scan on the server, however often it is
/// restarted.
///
/// ```swift
/// let queue = try UploadQueue(folder: folder, server: server, key: key)
/// try await queue.add(ScanUpload(files: files), copies: true)
/// for await progress in await queue.watch() { screen.show(progress) }   // elsewhere: await queue.run()
/// ```
public actor UploadQueue {
  /// Job that is being sent.
  private struct Work {
    let task: Task<UploadOutcome, any Error>
    /// Lock of the job, released together with this value.
    let lock: UploadLock
    /// Number of callers waiting for the job's end.
    var waiting = 0
  }

  private let journal: UploadJournal
  private let server: String
  private let line: TusClient
  private let retryPolicy: UploadRetryPolicy
  private let clock: any ClientClock
  private var randomness: any RandomNumberGenerator & Sendable
  private var working: [String: Work] = [:]
  private var retryTimers: [String: Task<Void, Never>] = [:]
  private var subscribers: [Int: AsyncStream<UploadProgress>.Continuation] = [:]
  private var nextSubscriber = 0

  /// - Parameters:
  ///   - folder: folder of the queue, created if it does not exist. Only its owner can read its files.
  ///   - server: the server's address; jobs for other servers are left unchanged.
  ///   - key: an API key, if the server requires one. It is not stored.
  ///   - retryPolicy: waits between attempts.
  ///   - transport: sends the requests.
  ///   - clock: measures the waits.
  ///   - generator: spreads the waits and names the jobs.
  /// - Throws: ``UploadError`` with `storage`.
  public init(
    folder: URL, server: URL, key: String? = nil, retryPolicy: UploadRetryPolicy = UploadRetryPolicy(),
    transport: any Transport = URLSessionTransport(), clock: any ClientClock = MonotonicClock(),
    generator: any RandomNumberGenerator & Sendable = MonotonicClock.randomness()
  ) throws {
    try self.init(
      folder: folder, server: server, credentials: APICredentials(key.map(APICredential.bearer)),
      retryPolicy: retryPolicy, transport: transport, clock: clock, generator: generator)
  }

  /// - Parameters:
  ///   - folder: folder of the queue, created if it does not exist.
  ///   - server: the server's address.
  ///   - credentials: of the signed-in user, if the server requires one. They are not stored.
  ///   - retryPolicy: waits between attempts.
  ///   - transport: sends the requests.
  ///   - clock: measures the waits.
  ///   - generator: spreads the waits and names the jobs.
  /// - Throws: ``UploadError`` with `storage`.
  public init(
    folder: URL, server: URL, credentials: APICredentials, retryPolicy: UploadRetryPolicy = UploadRetryPolicy(),
    transport: any Transport = URLSessionTransport(), clock: any ClientClock = MonotonicClock(),
    generator: any RandomNumberGenerator & Sendable = MonotonicClock.randomness()
  ) throws {
    journal = try UploadJournal(folder)
    self.server = server.absoluteString
    self.retryPolicy = retryPolicy
    self.clock = clock
    self.randomness = generator
    line = TusClient(
      api: APIClient(server: server, transport: transport, credentials: credentials), timeout: retryPolicy.request)
  }

  // MARK: - Jobs

  /// Adds a scan to the queue.
  ///
  /// - Parameters:
  ///   - upload: the scan's files and description.
  ///   - id: the job ID, 1 to 64 characters of `A–Z a–z 0–9 - _`. If a job with this ID exists, it is returned
  ///     unchanged.
  ///   - copies: `true` to copy the files into the queue's folder; otherwise they must not change until they are
  ///     sent.
  /// - Throws: ``UploadError``.
  @discardableResult
  public func add(_ upload: ScanUpload, id: String = MonotonicClock.clientName(), copies: Bool = false) throws
    -> UploadJob
  {
    guard IdentifierRules.isPlain(id), id != "drafts" else {
      throw UploadError(.unusableName, reason: "A job's name is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    if let job = journal.job(id) { return job }
    guard !upload.files.isEmpty else { throw UploadError(.noFiles, reason: "There is nothing to send.") }
    guard Set(upload.files.map(\.name)).count == upload.files.count,
      upload.files.allSatisfy({ UploadNameRules.isRelativePath($0.name) })
    else { throw UploadError(.unusableName, reason: "Each file needs a name of its own, below one folder.") }
    var files: [UploadJob.File] = []
    var sources: [String: URL] = [:]
    for (index, file) in upload.files.enumerated() {
      guard let facts = UploadJournal.facts(file.place) else {
        throw UploadError(.unreadableFile, reason: "\(file.name) cannot be read.")
      }
      // Indices, because file names on the server may be invalid on this file system.
      let place = copies ? "files/\(index)" : file.place.standardizedFileURL.path
      if copies { sources[place] = file.place }
      files.append(
        UploadJob.File(name: file.name, place: place, bytes: facts.bytes, modified: facts.modified, type: file.type))
    }
    let number = (try jobs().map(\.number).max() ?? -1) + 1
    let job = UploadJob(
      id: id, server: server, number: number, subject: upload.subject, label: upload.label, kind: upload.kind,
      files: files)
    try journal.add(job, copies: sources)
    return job
  }

  /// Returns all jobs for this queue's server, in the order in which they were added.
  public func jobs() throws -> [UploadJob] {
    try journal.names().compactMap { journal.job($0) }.filter { $0.server == server }.sorted { $0.number < $1.number }
  }

  /// Returns the IDs of jobs that can no longer be read and should be deleted.
  public func damaged() throws -> [String] { try journal.names().filter { journal.job($0) == nil } }

  /// Pauses a job until ``resume(_:)``.
  public func pause(_ id: String) async throws {
    await stop(id)
    try change(id) { if $0.state == .waiting { $0.state = .paused } }
    if let job = journal.job(id) { report(UploadProgress(job: id, phase: .paused, sent: 0, bytes: job.bytes)) }
  }

  /// Returns a paused or rejected job to the queue.
  public func resume(_ id: String) throws {
    try change(id) { job in
      guard job.state == .paused || job.state == .refused else { return }
      job.state = .waiting
      job.problem = nil
      job.restarts = 0
    }
  }

  /// Deletes a job from this device and, if the server can be reached, its unfinished scan on the server.
  public func cancel(_ id: String) async throws {
    await stop(id)
    let job = journal.job(id)
    let lock = try journal.lock(id)
    // An unfinished scan that stays on the server expires there.
    if let job, job.state != .done, let scan = job.scan { try? await line.delete(scan) }
    try withExtendedLifetime(lock) { try journal.remove(id) }
  }

  /// Deletes a job from this device only.
  public func remove(_ id: String) async throws {
    await stop(id)
    guard try journal.names().contains(id) else { throw UploadError(.unknownJob, reason: "There is no such job.") }
    try journal.remove(id)
  }

  // MARK: - Sending

  /// Sends the waiting jobs one after the other, including those added in the meantime. Returns when each was tried
  /// once.
  ///
  /// Call it when the app starts and when the network is available again. A concurrent second call waits for the same
  /// jobs.
  public func run() async throws {
    var tried: Set<String> = []
    while let job = try jobs().first(where: { $0.state == .waiting && !tried.contains($0.id) }) {
      try Task.checkCancellation()
      tried.insert(job.id)
      do {
        _ = try await send(job.id)
      } catch let error as UploadError where error.code == .inUse || error.code == .unknownJob {
        continue
      }
    }
  }

  /// Sends one job until it is done, rejected, or postponed. Waits for its end if it is already being sent.
  ///
  /// - Throws: ``UploadError`` if another process is sending the job or the queue's folder cannot be written.
  ///   Cancellation
  ///   returns ``UploadOutcome/paused``: the job stays in the queue, and continues if another caller waits for it.
  public func send(_ id: String) async throws -> UploadOutcome {
    // Waits for the end of a canceled task first.
    while let given = working[id]?.task, given.isCancelled { _ = try? await given.value }
    let task = try working[id]?.task ?? begin(id)
    working[id]?.waiting += 1
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      Task { await self.abandon(id, task) }
    }
  }

  /// Ends all retry delays, for example when the network is available again.
  public func wake() {
    for retryTimer in retryTimers.values { retryTimer.cancel() }
  }

  /// Returns the progress of all jobs from now on. Slow consumers skip older values, never the newest.
  public func watch() -> AsyncStream<UploadProgress> {
    let (stream, continuation) = AsyncStream<UploadProgress>.makeStream(bufferingPolicy: .bufferingNewest(64))
    let number = nextSubscriber
    nextSubscriber += 1
    subscribers[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.leave(number) }
    }
    return stream
  }

  private func leave(_ number: Int) { subscribers[number] = nil }

  /// Returns the number of callers waiting for the end of a job.
  func waiting(for id: String) -> Int { working[id]?.waiting ?? 0 }

  private func begin(_ id: String) throws -> Task<UploadOutcome, any Error> {
    guard journal.job(id) != nil else { throw UploadError(.unknownJob, reason: "There is no such job.") }
    let lock = try journal.lock(id)
    let task = Task { try await perform(id) }
    working[id] = Work(task: task, lock: lock)
    return task
  }

  /// Removes one waiting caller, and cancels the task if it was the last.
  private func abandon(_ id: String, _ task: Task<UploadOutcome, any Error>) {
    guard working[id]?.task == task else { return }
    working[id]?.waiting -= 1
    if working[id]?.waiting == 0 { task.cancel() }
  }

  private func perform(_ id: String) async throws -> UploadOutcome {
    defer { working[id] = nil }
    return try await work(id)
  }

  private func work(_ id: String) async throws -> UploadOutcome {
    // Read while holding the lock: another process may have changed it.
    guard var job = journal.job(id) else { throw UploadError(.unknownJob, reason: "There is no such job.") }
    switch job.state {
    case .done: return .done(scan: job.scan ?? "")
    case .refused: return .refused(job.problem ?? UploadJob.Problem(code: "unreadable", detail: ""))
    case .paused: return .paused
    case .waiting: break
    }
    let run = UploadTask(
      line: line, journal: journal, retryPolicy: retryPolicy, queue: self)
    let end: UploadOutcome
    do {
      end = try await run.work(&job)
    } catch is CancellationError {
      return .paused
    }
    switch end {
    case .done: job.state = .done
    case .refused(let problem):
      job.state = .refused
      job.problem = problem
    case .later, .paused: break
    }
    try journal.save(&job)
    report(last(of: job, end))
    return end
  }

  private func last(of job: UploadJob, _ end: UploadOutcome) -> UploadProgress {
    switch end {
    case .done: UploadProgress(job: job.id, phase: .done, sent: job.bytes, bytes: job.bytes)
    case .refused(let problem):
      UploadProgress(job: job.id, phase: .refused, sent: 0, bytes: job.bytes, reason: problem.code)
    case .later(let code): UploadProgress(job: job.id, phase: .waiting, sent: 0, bytes: job.bytes, reason: code)
    case .paused: UploadProgress(job: job.id, phase: .paused, sent: 0, bytes: job.bytes)
    }
  }

  private func stop(_ id: String) async {
    while let task = working[id]?.task {
      task.cancel()
      _ = try? await task.value
    }
  }

  private func change(_ id: String, _ work: (inout UploadJob) -> Void) throws {
    guard var job = journal.job(id) else { throw UploadError(.unknownJob, reason: "There is no such job.") }
    let before = job
    work(&job)
    if job != before { try journal.save(&job) }
  }

  func draw() -> Double { Double.random(in: 0...1, using: &randomness) }

  func rest(_ id: String, _ interval: Interval) async throws {
    let retryTimer = Task { [clock] in
      // A canceled delay ends like a complete one.
      _ = try? await clock.sleep(for: interval)
    }
    retryTimers[id] = retryTimer
    defer { retryTimers[id] = nil }
    await withTaskCancellationHandler {
      await retryTimer.value
    } onCancel: {
      retryTimer.cancel()
    }
    try Task.checkCancellation()
  }

  func report(_ progress: UploadProgress) {
    for subscriber in subscribers.values { subscriber.yield(progress) }
  }
}
