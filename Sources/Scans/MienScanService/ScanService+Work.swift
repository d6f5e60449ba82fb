public import MienCore
package import MienPlatform

/// Processing of submitted scans.
extension ScanService {
  /// Requeues scans whose processing was interrupted by a server failure. If no other server shares the store, these
  /// are all scans in progress; then it must be called once, before the first request.
  public func resume() async throws {
    for scan in try await store.workingScans() {
      if scan.attempts < settings.maximumAttempts {
        _ = try await store.move(scan.id, from: [.working], to: .queued, problem: nil, at: clock.timeOfDay())
      } else {
        let problem = ScanRecord.Problem(
          code: "gave-up",
          detail:
            "The server stopped \(scan.attempts) times while it processed this scan. Try again, or send a smaller scan."
        )
        _ = try await store.move(scan.id, from: [.working], to: .failed, problem: problem, at: clock.timeOfDay())
      }
    }
  }

  /// Processes the oldest queued scan; returns `false` if there is none, and for some seconds after the stores or the
  /// disk failed.
  public func workOnNext() async throws -> Bool {
    try await settle()
    if let restsUntil, clock.now() < restsUntil { return false }
    guard let scan = try await acquire() else { return false }
    let work = Task { try await self.tracedWork(on: scan) }
    running[scan.id] = work
    defer {
      running[scan.id] = nil
      told[scan.id] = nil
    }
    try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
    return true
  }

  /// Acquires the oldest queued scan. A store that failed may have assigned a scan without confirming it: that one is
  /// requeued first.
  private func acquire() async throws -> ScanRecord? {
    if mayHaveTaken { _ = try await store.putBack(at: clock.timeOfDay()) }
    mayHaveTaken = true
    let scan = try await store.acquire(at: clock.timeOfDay())
    mayHaveTaken = false
    return scan
  }

  private func tracedWork(on scan: ScanRecord) async throws {
    let facts: [SafeSpanAttribute] = [
      .scanKind(scan.kind.rawValue), .attempt(scan.attempts), .bytes(scan.files.reduce(0) { $0 + $1.bytes }),
    ]
    try await traces.job("scan.work", .internal, facts) { try await work(on: scan) }
  }

  private func work(on scan: ScanRecord) async throws {
    let phases = ScanPhaseTracer(traces)
    let job = ScanProcessingJob(scan: scan, service: self, phases: phases)
    do {
      let outcome = try await processor.process(job)
      phases.leave()
      try Task.checkCancellation()
      let old = try await store.finish(
        scan.id, outcome: outcome, results: await job.results.files, at: clock.timeOfDay())
      guard let old else { throw CancellationError() }
      troubled[scan.id] = nil
      // The result is stored: blobs that cannot be deleted now are garbage collected, and failures do not fail the job.
      for blob in old { _ = try? await blobs.delete(blob) }
    } catch {
      phases.leave(.failed(error))
      // A database that did not respond may have stored them. In a separate task: a store does nothing for a canceled
      // one.
      let files = await job.results.files
      await Task { await deleteUnwanted(files.compactMap(\.blob), of: scan.id) }.value
      unsettled.append((scan, error))
      // In a separate task: a store does nothing for a canceled one.
      try await Task { try await settle() }.value
      guard error is ScanProcessingError || error is CancellationError else { throw error }
    }
  }

  /// Records the outcome of interrupted processing. Outcomes that cannot be stored while the store is unavailable are
  /// stored before the next scan is acquired: no other server does so as long as this one is running.
  private func settle() async throws {
    while !unsettled.isEmpty {
      let (scan, reason) = unsettled.removeFirst()
      do {
        try await giveUp(scan, because: reason)
      } catch {
        unsettled.append((scan, reason))
        throw error
      }
    }
  }

  /// Deletes those of these blobs that their scan does not reference; if the scan cannot be read, they are left for
  /// garbage collection.
  func deleteUnwanted(_ blobs: [BlobID], of id: ScanID) async {
    do {
      let scan = try await store.scan(id)
      let named = Set(((scan?.files ?? []) + (scan?.results ?? [])).compactMap(\.blob))
      for blob in blobs where !named.contains(blob) { _ = try? await self.blobs.delete(blob) }
    } catch {
      return
    }
  }

  private func giveUp(_ scan: ScanRecord, because error: any Error) async throws {
    let now = clock.timeOfDay()
    switch error {
    case let error as ScanProcessingError:
      _ = try await store.move(scan.id, from: [.working], to: .failed, problem: error.problem, at: now)
    case is CancellationError:
      // The canceling or deleting request has updated the store; otherwise the server is shutting down, and the scan is
      // requeued.
      if try await store.move(scan.id, from: [.working], to: .queued, problem: nil, at: now) {
        try await store.setAttempts(scan.attempts - 1, of: scan.id)
      }
    default:
      // A failure of a store or disk is not caused by the scan, so the attempt is not counted and the scan is requeued;
      // but a scan whose own files are unreadable must fail eventually.
      let since = troubled[scan.id] ?? clock.now()
      let past = clock.now().since(since)
      guard past >= settings.outage else {
        restsUntil = clock.now() + .seconds(min(max(past.inSeconds / 4, 5), 30))
        let isRequeued = try await store.move(scan.id, from: [.working], to: .queued, problem: nil, at: now)
        if isRequeued { try await store.setAttempts(scan.attempts - 1, of: scan.id) }
        troubled[scan.id] = isRequeued ? since : nil
        return
      }
      let problem = ScanRecord.Problem(
        code: "unavailable", detail: "The server could not read or store the data of this scan. Try again later.")
      _ = try await store.move(scan.id, from: [.working], to: .failed, problem: problem, at: now)
      troubled[scan.id] = nil
    }
  }

  /// Stores the progress, at most once a second.
  func report(_ id: ScanID, _ progress: ScanRecord.Progress) async throws {
    try Task.checkCancellation()
    let now = clock.now()
    if let last = told[id], now < last + .seconds(1) { return }
    told[id] = now
    // A cancellation from another process, or between acquiring the scan and registering its task, only changes the
    // store's record.
    guard try await store.progressed(id, progress, at: clock.timeOfDay()) else { throw CancellationError() }
  }

  /// Deletes abandoned and expired scans; runs at most once a minute.
  public func purgeExpired() async throws {
    let now = clock.now()
    if let tidied, now < tidied + .seconds(60) { return }
    tidied = now
    let today = clock.timeOfDay()
    let timeout = settings.timeout.nanoseconds / 1_000_000
    let unfinished = try await store.abandonedScans(before: UnixTime(milliseconds: today.milliseconds - timeout))
    var old = unfinished.map { ($0, RetentionCategory.unfinishedScans) }
    if let lifetime = settings.lifetime {
      old += try await store.scans(
        createdBefore: UnixTime(milliseconds: today.milliseconds - lifetime.nanoseconds / 1_000_000)
      ).map { ($0, RetentionCategory.scans) }
    }
    var failure: (any Error)?
    do { try await deleteScansWithoutCheck() } catch { failure = error }
    for (id, kind) in old {
      do {
        if try await delete(id) { retention.note(kind, 1) }
      } catch {
        failure = error  // a failed deletion does not block the others
      }
    }
    if let failure { throw failure }
  }

  /// Deletes the bytes of uploads that belong to no scan.
  public nonisolated func purgeUploads() async throws { try await uploads.collectGarbage() }
}

/// Collects the results of the current job.
actor ScanResultCollector {
  private(set) var files: [ScanRecord.File] = []
  func add(_ file: ScanRecord.File) { files.append(file) }
}

extension ScanService {
  /// Returns the number of queued scans, for the metrics.
  public nonisolated func queueDepth() async throws -> Int {
    var query = ScanQuery()
    query.status = .queued
    query.limit = 1
    return try await store.scans(query).total
  }
}

/// The single scan that the subject of a check may send with the check's token.
extension ScanService {
  /// The request name of a check's scan: there is only one.
  public static let checkRequest = "check"

  /// Returns the scan created with a check's token; `nil` if there is none.
  public nonisolated func scan(of check: CheckID) async throws -> ScanID? {
    try await store.scan(of: StorageQuotas.owner(check), request: Self.checkRequest)
  }

  /// Deletes the scans created with a check's token.
  package func deleteScans(of check: CheckID) async throws -> ErasureCounts { try await delete(store.scans(of: check)) }

  /// Deletes the scans created with the tokens of a person's checks.
  package func deleteScans(of person: PersonID) async throws -> ErasureCounts {
    try await delete(store.scans(of: person))
  }

  /// Deletes scans whose checks no longer exist.
  @discardableResult
  package func deleteScansWithoutCheck() async throws -> ErasureCounts { try await delete(store.scansWithoutCheck()) }

  private func delete(_ ids: [ScanID]) async throws -> ErasureCounts {
    var (deleted, failure): (ErasureCounts, (any Error)?) = (ErasureCounts(), nil)
    for id in ids {
      do {
        let scan = try? await store.scan(id)
        guard try await delete(id) else { continue }
        deleted[.scans] += 1
        if let scan { deleted[.scanFiles] += scan.files.count + scan.results.count }
      } catch {
        failure = error  // a failed deletion does not block the others
      }
    }
    if let failure { throw failure }
    return deleted
  }
}
