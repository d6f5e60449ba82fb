public import Foundation
public import MienClient
public import MienCore
public import Observation

/// The four steps of a scan: photographs and depth, review, upload, and back to the start for the next person.
@MainActor @Observable public final class ScanViewModel {
  public enum State: Hashable, Sendable {
    /// Nothing is known yet. Goes to `capturing`, `reviewing`, `uploading` or `troubled`.
    case idle
    /// Photographs, then depth. Goes to `scanning` or `reviewing`.
    case capturing
    /// A photograph is being taken. Goes back to `capturing`.
    case photographing
    /// Frames are written. Goes to `capturing` or `reviewing`.
    case scanning
    /// All of it can be looked at. Goes to `uploading`, or back to `capturing`.
    case reviewing
    /// The queue has it. Goes to `done`, or to `refused`.
    case uploading
    /// The scan's id on the server. Goes to `capturing` for the next person.
    case done(String)
    /// The server will not have it. Goes to `reviewing`.
    case refused(UploadJob.Problem)
    /// Something is in the way. Goes on as ``ViewError/wayOn`` says.
    case troubled(ViewError)
  }

  public private(set) var state = State.idle
  public private(set) var photos: [CapturedPhoto] = []
  public private(set) var depth: DepthRecording?
  /// Frames of the scan that runs.
  public private(set) var frames = 0
  /// How much of ``recommended`` is scanned, 0…1.
  public private(set) var fraction = 0.0
  /// What to tell the person while they scan; nil while nothing is scanned.
  public private(set) var guidance: ScanGuidance?
  /// How far the upload is.
  public private(set) var progress: UploadProgress?
  /// Something to know that stops nothing: `app.scan.no-face`, `app.scan.short`, `app.scan.cut` or `app.scan.resumed`.
  public private(set) var note: LocalizedText?
  /// Whether this scan does without depth, because the device measures none.
  public private(set) var goesWithoutDepth = false
  /// The subject's number on the server, and a few words to find the scan by.
  public var subject: String? { didSet { keep() } }
  public var label: String? { didSet { keep() } }

  /// How many photographs a scan has.
  public static let photographs = 3
  /// How long a scan should take.
  public static let recommended = Interval.seconds(10)
  /// A scan that is shorter is said to be short.
  public static let shortest = Interval.seconds(5)
  /// How much room a scan needs on the device, in bytes: thirty seconds of the largest frames, and as much again for the
  /// copy that is sent.
  public static let room = 200_000_000

  private let studio: any ScanCapturing
  private let queue: UploadQueue
  private let network: FlowNetwork
  private let stage: EffectHandler
  private let memory: PreferencesStore
  private let folder: URL
  private let name: @Sendable () -> String
  private var job: String?
  private var began = MonotonicInstant.zero
  private var newest: MonotonicInstant?
  private var isRestoring = false

  /// - Parameters:
  ///   - folder: the app's own folder, which the paths of photographs and scans are relative to.
  ///   - name: gives a new random name for each upload.
  public init(
    studio: any ScanCapturing, queue: UploadQueue, network: FlowNetwork, stage: EffectHandler, store: any FlowStore,
    folder: URL, name: @escaping @Sendable () -> String = MonotonicClock.clientName
  ) {
    self.studio = studio
    self.queue = queue
    self.network = network
    self.stage = stage
    memory = PreferencesStore(store: store)
    self.folder = folder
    self.name = name
  }

  // MARK: - Gates

  public var mayPhotograph: Bool { state == .capturing && photos.count < Self.photographs }
  /// Photographs come first.
  public var mayScan: Bool {
    state == .capturing && photos.count == Self.photographs && depth == nil && !goesWithoutDepth
  }
  public var mayReview: Bool {
    state == .capturing && photos.count == Self.photographs && (depth != nil || goesWithoutDepth)
  }

  // MARK: - Capture

  /// Finds out what the device can do, and goes on with what a killed app has left.
  public func begin() async {
    switch state {
    case .idle, .troubled: break
    default: return
    }
    state = .idle
    var permission = await studio.permission()
    if permission == .unasked { permission = await studio.ask() }
    guard permission == .granted else { return fail(.cameraRefused) }
    let abilities = await studio.abilities()
    guard abilities.tracks else { return fail(.noTracking) }
    await restore()
    guard state == .idle else { return }
    guard abilities.measuresDepth || goesWithoutDepth || depth != nil else { return fail(.noDepth) }
    guard await hasRoom() else { return fail(.lowStorage) }
    state = mayGoToReview ? .reviewing : .capturing
  }

  /// The way on that a trouble names, where it is not the system's settings.
  public func goOn() async {
    guard case .troubled(let trouble) = state else { return }
    switch trouble.wayOn {
    case .without:
      goesWithoutDepth = true
      await begin()
    case .again, .wait, .makeRoom, .settings: await begin()
    case .leave: state = .idle
    }
  }

  /// Takes one of the photographs. One without a face is taken all the same, and it is said.
  public func photograph() async {
    guard mayPhotograph else { return }
    state = .photographing
    do {
      let photo = try await studio.photograph()
      guard state == .photographing else { return }
      photos.append(photo)
      note = photo.hasFace == false ? LocalizedText("app.scan.no-face") : nil
      state = .capturing
      keep()
      stage.feel(.step)
    } catch {
      fail(network.trouble(error))
    }
  }

  /// Lets a photograph go, to take another one.
  public func retake(_ photo: CapturedPhoto) async {
    guard state == .capturing || state == .reviewing, photos.contains(photo) else { return }
    photos.removeAll { $0 == photo }
    (state, note) = (.capturing, nil)
    keep()
    await studio.discard([photo.path])
  }

  /// Lets the depth scan go, to make another one.
  public func rescan() async {
    guard state == .capturing || state == .reviewing, let depth else { return }
    self.depth = nil
    (state, note) = (.capturing, nil)
    keep()
    await studio.discard([depth.path])
  }

  /// Scans until ``stop()``, or until something ends it.
  public func scan() async {
    guard mayScan else { return }
    guard await hasRoom() else { return fail(.lowStorage) }
    guard mayScan else { return }
    (state, frames, fraction, newest, guidance, note) = (.scanning, 0, 0, nil, nil, nil)
    keep()
    let news: AsyncStream<ScanEvent>
    do {
      news = try await studio.begin()
    } catch {
      return fail(network.trouble(error))
    }
    began = network.clock.now()
    for await each in news {
      guard state == .scanning else { break }
      if let trouble = heard(each) { return await cut(trouble) }
    }
    // The news ended and nobody had ended the scan.
    if state == .scanning { await cut(.cameraLost) }
  }

  /// Ends the scan.
  public func stop() async {
    guard state == .scanning else { return }
    state = .capturing
    take(await studio.end(), isCut: false)
  }

  // MARK: - Review and upload

  public func review() {
    guard mayReview else { return }
    state = .reviewing
  }

  /// Hands everything to the queue, which keeps it until the server has it.
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
      fail(network.trouble(error))
    }
  }

  /// Sets the upload aside, or takes it up again.
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

  /// Back to the start for the next person; what was sent is let go.
  public func next() async {
    guard case .done = state else { return }
    if let job { try? await queue.forget(job) }
    await clear()
    state = .capturing
  }

  /// Lets everything go.
  public func abandon() async {
    if state == .scanning { _ = await studio.end() }
    if let job { try? await queue.cancel(job) }
    await clear()
    state = .idle
  }

  /// After a refusal: everything can be looked at again, and sent again.
  public func reconsider() async {
    guard case .refused = state else { return }
    if let job { try? await queue.forget(job) }
    job = nil
    keep()
    state = .reviewing
  }

  // MARK: - Words

  /// What to do now.
  public var told: LocalizedText? {
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
    case .troubled(let trouble): trouble.notices()[0].title
    }
  }

  // MARK: - Inside

  private var mayGoToReview: Bool { photos.count == Self.photographs && (depth != nil || goesWithoutDepth) }

  private func hasRoom() async -> Bool { (await studio.room()).map { $0 >= Self.room } ?? true }

  /// - Returns: what ends the scan.
  private func heard(_ news: ScanEvent) -> ViewError? {
    switch news {
    case .hot: return .hot
    case .lowMemory: return .lowMemory
    case .lowStorage: return .lowStorage
    case .interrupted: return .interrupted
    case .cameraLost: return .cameraLost
    case .frames(let count, let at, let guidance):
      // Poses and depth of before and after a jump of the clock do not belong together.
      if let newest, at < newest { return .clockChanged }
      newest = at
      frames = max(frames, count)
      let elapsed = network.clock.now().since(began).inSeconds
      fraction = min(1, max(fraction, elapsed / Self.recommended.inSeconds))
      if guidance.isInRange == true, self.guidance?.isInRange != true { stage.feel(.inRange) }
      if guidance.isEnough, self.guidance?.isEnough != true { stage.feel(.step) }
      self.guidance = guidance
      return nil
    }
  }

  /// Something ended the scan: what is on the disk counts, where it is enough.
  private func cut(_ trouble: ViewError) async {
    state = .capturing
    let take = await studio.end()
    guard state == .capturing else { return }
    if trouble == .clockChanged, let take {
      await studio.discard([take.path])
      self.take(nil, isCut: true)
    } else {
      self.take(take, isCut: true)
    }
    fail(trouble)
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
      if !depth.isCut { stage.feel(.success) }
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

  /// Follows the queue until the job is over or set aside.
  private func follow(_ id: String) async {
    let told = await queue.watch()
    let watching = Task {
      // What is still on its way when the watching ends is older than the end.
      for await each in told where each.job == id && !Task.isCancelled { self.heard(each) }
    }
    defer { watching.cancel() }
    do {
      while state == .uploading {
        let end = try await queue.send(id)
        // Whoever asked to go on meanwhile hears the same end, once.
        guard state == .uploading, job == id else { return }
        switch end {
        case .done(let scan):
          state = .done(scan)
          stage.feel(.success)
        case .refused(let problem):
          state = .refused(problem)
          stage.feel(.failure)
        case .paused: return await rest(id, .paused)
        case .later(let code): return await rest(id, .waiting, reason: code)
        }
      }
    } catch let error as UploadError where error.code == .inUse {
      // Another program sends it; it stays in the queue.
      await rest(id, .waiting)
    } catch let error as UploadError {
      guard state == .uploading, job == id else { return }
      fail(error.code == .storage ? .lowStorage : .unreachable)
    } catch {
      return
    }
  }

  /// The job is not sent now; ``resume()`` goes on with it.
  private func rest(_ id: String, _ phase: UploadProgress.Phase, reason: String? = nil) async {
    let job = progress == nil ? (try? await queue.jobs())?.first { $0.id == id } : nil
    guard state == .uploading else { return }
    var last = progress ?? UploadProgress(job: id, phase: phase, sent: 0, bytes: job?.bytes ?? 0)
    (last.phase, last.reason) = (phase, reason)
    progress = last
  }

  private func heard(_ progress: UploadProgress) {
    guard state == .uploading else { return }
    self.progress = progress
  }

  private func fail(_ trouble: ViewError) {
    state = .troubled(trouble)
    stage.feel(.failure)
  }

  private func clear() async {
    let paths = photos.map(\.path) + (depth.map { [$0.path] } ?? [])
    (photos, depth, progress, note, job, goesWithoutDepth) = ([], nil, nil, nil, nil, false)
    (frames, fraction, subject, label) = (0, 0, nil, nil)
    try? memory.save("scan", ScanDraft?.none)
    await studio.discard(paths)
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
    // What cannot be kept is lost only when the app is killed.
    try? memory.save("scan", draft == ScanDraft() ? ScanDraft?.none : draft)
  }

  private func restore() async {
    guard photos.isEmpty, depth == nil, job == nil, let draft: ScanDraft = memory.read("scan") else { return }
    isRestoring = true
    photos = Array(draft.photos.prefix(Self.photographs).map(\.taken))
    (depth, subject, label) = (draft.depth, draft.subject, draft.label)
    isRestoring = false
    if draft.isScanning, depth == nil, let rescued = await studio.rescued() { take(rescued, isCut: true) }
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
