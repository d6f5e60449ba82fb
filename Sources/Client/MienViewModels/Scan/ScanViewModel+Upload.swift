internal import Foundation
internal import MienClient

/// Upload of a reviewed scan through the queue, and what follows its outcome.
extension ScanViewModel {
  /// Adds the scan to the upload queue, which stores it until the server has received it.
  public func upload() async {
    guard state == .reviewing else { return }
    state = .uploading
    progress = nil
    do {
      let job = try await queue.add(uploadFiles(), id: job ?? name(), copies: true)
      self.job = job.id
      keep()
      await follow(job.id)
    } catch let error as UploadError {
      fail(error.code == .storage ? .lowStorage : .fileMissing)
    } catch {
      fail(network.problem(error))
    }
  }

  /// Pauses the upload.
  public func pause() async {
    guard state == .uploading, let job else { return }
    try? await queue.pause(job)
  }

  public func resume() async {
    guard state == .uploading, let job else { return }
    try? await queue.resume(job)
    await queue.wake()
    await follow(job)
  }

  /// Returns to the start for the next subject and deletes the sent scan from the device.
  public func next() async {
    guard case .done = state else { return }
    if let job { try? await queue.remove(job) }
    await clear()
    takeNextFromList()
    state = .capturing
  }

  /// Returns to the review after a rejection, to send the scan again.
  public func reconsider() async {
    guard case .refused = state else { return }
    if let job { try? await queue.remove(job) }
    job = nil
    keep()
    state = .reviewing
  }

  func uploadFiles() -> ScanUpload {
    var files = photos.enumerated().map { index, photo in
      ScanUpload.File(
        name: "image\(index + 1).jpg", place: folder.appendingPathComponent(photo.path), type: "image/jpeg")
    }
    if let depth {
      files.append(ScanUpload.File(name: "scan.mienscan", place: folder.appendingPathComponent(depth.path)))
    }
    return ScanUpload(files: files, subject: subject, label: label)
  }

  /// Observes the queue until the job is finished or paused.
  func follow(_ id: String) async {
    let instruction = await queue.watch()
    let watching = Task {
      // Progress that arrives after the observation ended is older than the outcome.
      for await each in instruction where each.job == id && !Task.isCancelled { self.received(each) }
    }
    defer { watching.cancel() }
    do {
      while state == .uploading {
        let end = try await queue.send(id)
        // A concurrent call to resume() receives the same outcome; only the first one is processed.
        guard state == .uploading, job == id else { return }
        switch end {
        case .done(let scan):
          state = .done(scan)
          if let entry { workList.finish(entry, scan: scan) }
          effects.feel(.success)
        case .refused(let problem):
          state = .refused(problem)
          effects.feel(.failure)
        case .paused: return await rest(id, .paused)
        case .later(let code): return await rest(id, .waiting, reason: code)
        }
      }
    } catch let error as UploadError where error.code == .inUse {
      // Another process sends the job; it stays in the queue.
      await rest(id, .waiting)
    } catch let error as UploadError {
      guard state == .uploading, job == id else { return }
      fail(error.code == .storage ? .lowStorage : .unreachable)
    } catch {
      return
    }
  }

  /// Shows that the job is not being sent now; ``resume()`` continues it.
  func rest(_ id: String, _ phase: UploadProgress.Phase, reason: String? = nil) async {
    let job = progress == nil ? (try? await queue.jobs())?.first { $0.id == id } : nil
    guard state == .uploading else { return }
    var last = progress ?? UploadProgress(job: id, phase: phase, sent: 0, bytes: job?.bytes ?? 0)
    (last.phase, last.reason) = (phase, reason)
    progress = last
  }

  func received(_ progress: UploadProgress) {
    guard state == .uploading else { return }
    self.progress = progress
  }
}
