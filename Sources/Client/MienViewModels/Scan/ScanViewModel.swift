public import Foundation
public import MienClient
public import MienCore
public import Observation

/// View model of a scan in four steps: photos and depth, review, upload, and return to the start for the next subject.
@MainActor @Observable public final class ScanViewModel {
  public enum State: Hashable, Sendable {
    /// Not started. Next: `capturing`, `reviewing`, `uploading` or `problem`.
    case idle
    /// Ready for photos, then depth. Next: `scanning` or `reviewing`.
    case capturing
    /// A photo is being taken. Next: `capturing`.
    case photographing
    /// Frames are being written. Next: `capturing` or `reviewing`.
    case scanning
    /// Ready for review. Next: `uploading`, or back to `capturing`.
    case reviewing
    /// In the upload queue. Next: `done` or `refused`.
    case uploading
    /// Sent, with the scan's ID on the server. Next: `capturing` for the next subject.
    case done(String)
    /// Rejected by the server. Next: `reviewing`.
    case refused(UploadJob.Problem)
    /// Failed. Continues as ``ViewError/recovery`` indicates.
    case problem(ViewError)
  }

  public private(set) var state = State.idle
  public private(set) var photos: [CapturedPhoto] = []
  public private(set) var depth: DepthRecording?
  /// Number of frames of the running scan.
  public private(set) var frames = 0
  /// Progress toward ``recommended``, 0…1.
  public private(set) var fraction = 0.0
  /// Guidance during the scan; `nil` if no scan is running.
  public private(set) var guidance: ScanGuidance?
  /// Progress of the upload.
  public private(set) var progress: UploadProgress?
  /// Non-blocking notice: `app.scan.no-face`, `app.scan.short`, `app.scan.cut` or `app.scan.resumed`.
  public private(set) var note: LocalizedText?
  /// `true` if the scan has no depth because the device does not measure it.
  public private(set) var goesWithoutDepth = false
  /// Number of an existing subject on the server, and a label for finding the scan.
  public var subject: String? { didSet { keep() } }
  public var label: String? { didSet { keep() } }

  /// Number of photos in a scan.
  public static let photographs = 3
  /// Recommended duration of a scan.
  public static let recommended = Interval.seconds(10)
  /// Minimum duration; shorter scans cause a notice.
  public static let shortest = Interval.seconds(5)
  /// Free disk space in bytes that a scan requires: 30 seconds of the largest frames, and the same again for the copy
  /// that
  /// is uploaded.
  public static let requiredBytes = 200_000_000

  private let capture: any ScanCapturing
  private let queue: UploadQueue
  private let network: FlowNetwork
  private let effects: EffectHandler
  private let memory: PreferencesStore
  private let folder: URL
  private let name: @Sendable () -> String
  private var job: String?
  private var began = MonotonicInstant.zero
  private var newest: MonotonicInstant?
  private var isRestoring = false

  /// - Parameters:
  ///   - folder: the app's folder, to which the paths of photos and scans are relative.
  ///   - name: returns a new random job ID for each upload.
  public init(
    capture: any ScanCapturing, queue: UploadQueue, network: FlowNetwork, effects: EffectHandler, store: any FlowStore,
    folder: URL, name: @escaping @Sendable () -> String = MonotonicClock.clientName
  ) {
    self.capture = capture
    self.queue = queue
    self.network = network
    self.effects = effects
    memory = PreferencesStore(store: store)
    self.folder = folder
    self.name = name
  }

  // MARK: - Permitted actions

  public var mayPhotograph: Bool { state == .capturing && photos.count < Self.photographs }
  /// `true` if a depth scan can start, which requires all photos.
  public var mayScan: Bool {
    state == .capturing && photos.count == Self.photographs && depth == nil && !goesWithoutDepth
  }
  public var mayReview: Bool {
    state == .capturing && photos.count == Self.photographs && (depth != nil || goesWithoutDepth)
  }

  // MARK: - Capture

  /// Determines the device's capabilities and continues an unfinished scan, if there is one.
  public func begin() async {
    switch state {
    case .idle, .problem: break
    default: return
    }
    state = .idle
    var permission = await capture.permission()
    if permission == .notDetermined { permission = await capture.ask() }
    guard permission == .granted else { return fail(.cameraRefused) }
    let abilities = await capture.abilities()
    guard abilities.tracks else { return fail(.noTracking) }
    await restore()
    guard state == .idle else { return }
    guard abilities.measuresDepth || goesWithoutDepth || depth != nil else { return fail(.noDepth) }
    guard await hasSpace() else { return fail(.lowStorage) }
    state = mayGoToReview ? .reviewing : .capturing
  }

  /// Performs the recovery action of an error, except opening the system settings.
  public func proceed() async {
    guard case .problem(let problem) = state else { return }
    switch problem.recovery {
    case .without:
      goesWithoutDepth = true
      await begin()
    case .again, .wait, .freeSpace, .settings: await begin()
    case .leave: state = .idle
    }
  }

  /// Takes one of the photos. A photo without a face is accepted with a notice.
  public func photograph() async {
    guard mayPhotograph else { return }
    state = .photographing
    do {
      let photo = try await capture.photograph()
      guard state == .photographing else { return }
      photos.append(photo)
      note = photo.hasFace == false ? LocalizedText("app.scan.no-face") : nil
      state = .capturing
      keep()
      effects.feel(.step)
    } catch {
      fail(network.problem(error))
    }
  }

  /// Discards a photo to take another one.
  public func retake(_ photo: CapturedPhoto) async {
    guard state == .capturing || state == .reviewing, photos.contains(photo) else { return }
    photos.removeAll { $0 == photo }
    (state, note) = (.capturing, nil)
    keep()
    await capture.discard([photo.path])
  }

  /// Discards the depth scan to make another one.
  public func rescan() async {
    guard state == .capturing || state == .reviewing, let depth else { return }
    self.depth = nil
    (state, note) = (.capturing, nil)
    keep()
    await capture.discard([depth.path])
  }

  /// Scans until ``stop()`` or until an event ends the scan.
  public func scan() async {
    guard mayScan else { return }
    guard await hasSpace() else { return fail(.lowStorage) }
    guard mayScan else { return }
    (state, frames, fraction, newest, guidance, note) = (.scanning, 0, 0, nil, nil, nil)
    keep()
    let news: AsyncStream<ScanEvent>
    do {
      news = try await capture.begin()
    } catch {
      return fail(network.problem(error))
    }
    began = network.clock.now()
    for await each in news {
      guard state == .scanning else { break }
      if let problem = received(each) { return await cut(problem) }
    }
    // The event stream ended without a call to stop().
    if state == .scanning { await cut(.cameraLost) }
  }

  /// Ends the scan.
  public func stop() async {
    guard state == .scanning else { return }
    state = .capturing
    take(await capture.end(), isCut: false)
  }

  // MARK: - Review and upload

  public func review() {
    guard mayReview else { return }
    state = .reviewing
  }

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
    state = .capturing
  }

  /// Discards the scan, including an upload in progress.
  public func abandon() async {
    if state == .scanning { _ = await capture.end() }
    if let job { try? await queue.cancel(job) }
    await clear()
    state = .idle
  }

  /// Returns to the review after a rejection, to send the scan again.
  public func reconsider() async {
    guard case .refused = state else { return }
    if let job { try? await queue.remove(job) }
    job = nil
    keep()
    state = .reviewing
  }

  // MARK: - Localized text

  /// Current instruction.
  public var instruction: LocalizedText? {
    switch state {
    case .idle, .photographing: LocalizedText("check.starting")
    case .capturing:
      if photos.count < Self.photographs {
        LocalizedText("app.scan.photo", ["number": "\(photos.count + 1)", "count": "\(Self.photographs)"])
      } else {
        LocalizedText(mayReview ? "app.scan.complete" : "app.scan.start")
      }
    case .scanning:
      LocalizedText("app.scan.scanning", ["percent": "\(Int(fraction * 100))", "frames": "\(frames)"])
    case .reviewing: LocalizedText("app.scan.complete")
    case .uploading:
      switch progress?.phase {
      case .waiting: LocalizedText("app.scan.waiting")
      case .paused: LocalizedText("scan.paused")
      default: LocalizedText("app.scan.sending")
      }
    case .done: LocalizedText("app.scan.done")
    case .refused(let problem): LocalizedText("problem.\(problem.code).title")
    case .problem(let problem): problem.notices()[0].title
    }
  }

  // MARK: - Helpers

  private var mayGoToReview: Bool { photos.count == Self.photographs && (depth != nil || goesWithoutDepth) }

  private func hasSpace() async -> Bool { (await capture.freeBytes()).map { $0 >= Self.requiredBytes } ?? true }

  /// - Returns: the error that ends the scan, or `nil`.
  private func received(_ news: ScanEvent) -> ViewError? {
    switch news {
    case .hot: return .hot
    case .lowMemory: return .lowMemory
    case .lowStorage: return .lowStorage
    case .interrupted: return .interrupted
    case .cameraLost: return .cameraLost
    case .frames(let count, let at, let guidance):
      // Poses and depth before and after a clock change do not belong together.
      if let newest, at < newest { return .clockChanged }
      newest = at
      frames = max(frames, count)
      let elapsed = network.clock.now().since(began).inSeconds
      fraction = min(1, max(fraction, elapsed / Self.recommended.inSeconds))
      if guidance.isInRange == true, self.guidance?.isInRange != true { effects.feel(.inRange) }
      if guidance.isEnough, self.guidance?.isEnough != true { effects.feel(.step) }
      self.guidance = guidance
      return nil
    }
  }

  /// Ends the scan after an error, preserving the recording on disk unless the clock changed.
  private func cut(_ problem: ViewError) async {
    state = .capturing
    let take = await capture.end()
    guard state == .capturing else { return }
    if problem == .clockChanged, let take {
      await capture.discard([take.path])
      self.take(nil, isCut: true)
    } else {
      self.take(take, isCut: true)
    }
    fail(problem)
  }

  private func take(_ take: DepthRecording?, isCut: Bool) {
    depth = take.flatMap { $0.frames > 0 ? $0 : nil }
    if isCut { depth?.isCut = true }
    guidance = nil
    if let depth {
      note =
        depth.isCut
        ? LocalizedText("app.scan.cut", ["frames": "\(depth.frames)"])
        : depth.seconds < Self.shortest.inSeconds ? LocalizedText("app.scan.short") : nil
      if !depth.isCut { effects.feel(.success) }
    }
    keep()
  }

  private func uploadFiles() -> ScanUpload {
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
  private func follow(_ id: String) async {
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
  private func rest(_ id: String, _ phase: UploadProgress.Phase, reason: String? = nil) async {
    let job = progress == nil ? (try? await queue.jobs())?.first { $0.id == id } : nil
    guard state == .uploading else { return }
    var last = progress ?? UploadProgress(job: id, phase: phase, sent: 0, bytes: job?.bytes ?? 0)
    (last.phase, last.reason) = (phase, reason)
    progress = last
  }

  private func received(_ progress: UploadProgress) {
    guard state == .uploading else { return }
    self.progress = progress
  }

  private func fail(_ problem: ViewError) {
    state = .problem(problem)
    effects.feel(.failure)
  }

  private func clear() async {
    let paths = photos.map(\.path) + (depth.map { [$0.path] } ?? [])
    (photos, depth, progress, note, job, goesWithoutDepth) = ([], nil, nil, nil, nil, false)
    (frames, fraction, subject, label) = (0, 0, nil, nil)
    try? memory.save("scan", ScanDraft?.none)
    await capture.discard(paths)
  }

  private func keep() {
    guard !isRestoring else { return }
    var draft = ScanDraft()
    draft.photos = photos.map(ScanDraft.Photo.init)
    draft.depth = depth
    draft.isScanning = state == .scanning
    draft.subject = subject
    draft.label = label
    draft.job = job
    // A failed save only matters if the app is terminated.
    try? memory.save("scan", draft == ScanDraft() ? ScanDraft?.none : draft)
  }

  private func restore() async {
    guard photos.isEmpty, depth == nil, job == nil, let draft: ScanDraft = memory.read("scan") else { return }
    isRestoring = true
    photos = Array(draft.photos.prefix(Self.photographs).map(\.taken))
    (depth, subject, label) = (draft.depth, draft.subject, draft.label)
    isRestoring = false
    if draft.isScanning, depth == nil, let rescued = await capture.rescued() { take(rescued, isCut: true) }
    if let id = draft.job {
      guard let known = try? await queue.jobs().first(where: { $0.id == id }) else { return }
      job = id
      state = known.state == .done ? .done(known.scan ?? "") : .uploading
      if state == .uploading { await follow(id) }
    } else if !photos.isEmpty {
      note = note ?? LocalizedText("app.scan.resumed")
    }
  }
}
