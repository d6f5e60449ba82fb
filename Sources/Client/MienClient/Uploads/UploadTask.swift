internal import Foundation
internal import MienCore

/// Sends one job until it is done, rejected, or cannot continue.
struct UploadTask {
  let line: TusClient
  let journal: UploadJournal
  let retryPolicy: UploadRetryPolicy
  let queue: UploadQueue

  /// - Throws: ``UploadError`` if the queue's folder cannot be written, `CancellationError`.
  func work(_ job: inout UploadJob) async throws -> UploadOutcome {
    var machine = UploadStateMachine(
      sizes: job.files.map(\.bytes), isKnown: job.scan != nil, restarts: job.restarts, retryPolicy: retryPolicy)
    while true {
      try Task.checkCancellation()
      let action = machine.next
      if action == .finish { return .done(scan: job.scan ?? "") }
      let trouble: UploadFailureClassifier
      do {
        try await perform(action, of: &job, &machine)
        continue
      } catch let error as ClientError {
        trouble = UploadFailureClassifier(error, submits: action == .submit)
      } catch let problem as RejectionReason {
        trouble = .refused(problem.problem)
      }
      let answer = machine.failed(trouble, chance: await queue.draw())
      if trouble == .gone { try remove(&job, restarts: machine.restarts) }
      switch answer {
      case .end(let end): return end
      case .wait(let interval):
        await queue.report(progress(of: job, machine, .waiting, reason: trouble.code))
        try await queue.rest(job.id, interval)
      }
    }
  }

  private func perform(
    _ action: UploadStateMachine.Action, of job: inout UploadJob, _ machine: inout UploadStateMachine
  )
    async throws
  {
    switch action {
    case .create, .look:
      await queue.report(progress(of: job, machine, .querying))
      let ticket =
        if action == .look, let scan = job.scan { try await line.look(scan) } else { try await line.create(job) }
      try take(ticket, into: &job, &machine)
    case .ask(let file):
      await queue.report(progress(of: job, machine, .querying))
      try heard(try await line.offset(try address(of: job.files[file])), of: file, &machine)
    case .send(let file, let offset):
      await queue.report(progress(of: job, machine, .sending, file: file))
      let bytes = try piece(of: job.files[file], in: job.id, from: offset)
      let now = try await line.send(bytes, to: try address(of: job.files[file]), at: offset)
      guard now <= offset + bytes.count else { throw ClientError.unreadable(status: 204) }
      try heard(now, of: file, &machine)
      await queue.report(progress(of: job, machine, .sending, file: file))
    case .submit:
      await queue.report(progress(of: job, machine, .submitting))
      try await line.submit(job.scan ?? "")
      machine.submitted()
    case .finish: break
    }
  }

  private func heard(_ offset: Int, of file: Int, _ machine: inout UploadStateMachine) throws {
    guard machine.acknowledged(file, upTo: offset) else { throw ClientError.unreadable(status: 204) }
  }

  /// Applies the server's scan status to the job. Upload paths are saved before any file is sent.
  private func take(_ ticket: ScanStatus, into job: inout UploadJob, _ machine: inout UploadStateMachine) throws {
    guard IdentifierRules.isPlain(ticket.id) else { throw ClientError.unreadable(status: 200) }
    if ticket.status != "uploading" {
      if job.scan != ticket.id {
        job.scan = ticket.id
        try journal.save(&job)
      }
      guard ticket.status != "cancelled" else {
        throw RejectionReason(
          problem: UploadJob.Problem(code: "cancelled", detail: "The scan was cancelled on the server."))
      }
      return machine.submitted()
    }
    var changed = job
    changed.scan = ticket.id
    var received: [Int?] = []
    for index in changed.files.indices {
      guard let found = ticket.files.first(where: { $0.name == changed.files[index].name }) else {
        throw ClientError.unreadable(status: 200)
      }
      if let upload = found.upload { changed.files[index].upload = upload }
      received.append(found.received)
    }
    if changed != job {
      job = changed
      try journal.save(&job)
    }
    machine.opened(received: received)
  }

  private func remove(_ job: inout UploadJob, restarts: Int) throws {
    job.scan = nil
    job.restarts = restarts
    for index in job.files.indices { job.files[index].upload = nil }
    try journal.save(&job)
  }

  private func address(of file: UploadJob.File) throws -> String {
    guard let upload = file.upload, UploadNameRules.isUpload(upload) else { throw ClientError.unreadable(status: 200) }
    return upload
  }

  /// Returns the next chunk of a file, after checking that the file has not changed since the job was created.
  private func piece(of file: UploadJob.File, in job: String, from offset: Int) throws -> [UInt8] {
    let place = journal.place(of: file, in: job)
    guard let facts = UploadJournal.facts(place), let handle = try? FileHandle(forReadingFrom: place) else {
      throw RejectionReason(code: UploadJob.Problem.missing, "\(file.name) is not there any more.")
    }
    defer { try? handle.close() }
    guard facts.bytes == file.bytes, file.isOwned || facts.modified == file.modified else {
      throw RejectionReason(code: UploadJob.Problem.changed, "\(file.name) was changed after it had been chosen.")
    }
    let count = min(retryPolicy.chunk, file.bytes - offset)
    do {
      try handle.seek(toOffset: UInt64(offset))
      var bytes: [UInt8] = []
      while bytes.count < count, let part = try handle.read(upToCount: count - bytes.count), !part.isEmpty {
        bytes += part
      }
      guard bytes.count == count else {
        throw RejectionReason(code: UploadJob.Problem.changed, "\(file.name) was cut off while it was read.")
      }
      return bytes
    } catch let refusal as RejectionReason {
      throw refusal
    } catch {
      throw RejectionReason(
        code: UploadJob.Problem.missing, "\(file.name) cannot be read: \(error.localizedDescription)")
    }
  }

  private func progress(
    of job: UploadJob, _ machine: UploadStateMachine, _ phase: UploadProgress.Phase, file: Int? = nil,
    reason: String? = nil
  ) -> UploadProgress {
    UploadProgress(
      job: job.id, phase: phase, file: file.map { job.files[$0].name },
      fileSent: file.flatMap { machine.offsets[$0] } ?? 0, fileBytes: file.map { job.files[$0].bytes } ?? 0,
      sent: machine.sent, bytes: job.bytes, reason: reason)
  }
}

/// Rejection on the client side.
private struct RejectionReason: Error {
  let problem: UploadJob.Problem

  init(problem: UploadJob.Problem) {
    self.problem = problem
  }

  init(code: String, _ detail: String) {
    problem = UploadJob.Problem(code: code, detail: detail)
  }
}
