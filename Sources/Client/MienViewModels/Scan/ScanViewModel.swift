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

  public internal(set) var state = State.idle
  public internal(set) var photos: [CapturedPhoto] = []
  public internal(set) var depth: DepthRecording?
  /// Number of frames of the running scan.
  public internal(set) var frames = 0
  /// Progress toward ``recommended``, 0…1.
  public internal(set) var fraction = 0.0
  /// Guidance during the scan; `nil` if no scan is running.
  public internal(set) var guidance: ScanGuidance?
  /// Face in the camera picture while photos can be taken or frames are written; `nil` if there is none.
  public private(set) var face: ScanFace?
  /// Picture of a recent depth map of the running scan.
  public internal(set) var preview: DepthPreview?
  /// Size of all photos and of the scan in bytes, once they can be reviewed.
  public internal(set) var dataBytes = 0
  /// People to scan one after another.
  public let workList: ScanWorkList
  /// Progress of the upload.
  public internal(set) var progress: UploadProgress?
  /// Non-blocking notice: `app.scan.no-face`, `app.scan.short`, `app.scan.cut` or `app.scan.resumed`.
  public internal(set) var note: LocalizedText?
  /// `true` if the scan has no depth because the device does not measure it.
  public internal(set) var goesWithoutDepth = false
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
  /// that is uploaded.
  public static let requiredBytes = 200_000_000

  // Not private, for the extensions in the files beside this one.
  let capture: any ScanCapturing
  let queue: UploadQueue
  let network: FlowNetwork
  let effects: EffectHandler
  let memory: PreferencesStore
  let folder: URL
  let name: @Sendable () -> String
  var job: String?
  private var began = MonotonicInstant.zero
  private var newest: MonotonicInstant?
  var isRestoring = false
  /// Entry of the work list that is being scanned.
  var entry: Int?

  /// - Parameters:
  ///   - capture: the depth camera.
  ///   - queue: uploads the scans.
  ///   - network: requests to the server.
  ///   - effects: performs what concerns the device, such as sounds.
  ///   - store: keeps the state of the flow.
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
    workList = ScanWorkList(store: store)
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
    if photos.isEmpty, depth == nil { takeNextFromList() }
    state = mayGoToReview ? .reviewing : .capturing
    if state == .reviewing { await measure() }
  }

  /// Follows the face in the camera picture until the caller's task is canceled.
  public func watchFaces() async {
    for await face in await capture.faces() {
      if face?.isInRange == true, self.face?.isInRange != true, state == .capturing { effects.feel(.inRange) }
      self.face = face
    }
    face = nil
  }

  /// Scans a person of the work list next, unless a scan is under way.
  public func choose(_ entry: ScanWorkList.Entry) {
    guard state == .capturing, photos.isEmpty, depth == nil else { return }
    (self.entry, label, subject) = (entry.id, entry.label, entry.subject)
  }

  /// Performs the recovery action of an error, except opening the system settings.
  public func proceed() async {
    guard case .problem(let problem) = state else { return }
    switch problem.recovery {
    case .without:
      goesWithoutDepth = true
      await begin()
    case .again, .wait, .freeSpace, .settings, .signIn: await begin()
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

  // MARK: - Review

  public func review() {
    guard mayReview else { return }
    state = .reviewing
    Task { await measure() }
  }

  /// Discards the scan, including an upload in progress.
  public func abandon() async {
    if state == .scanning { _ = await capture.end() }
    if let job { try? await queue.cancel(job) }
    await clear()
    state = .idle
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
    case .preview(let preview):
      self.preview = preview
      return nil
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

  func take(_ take: DepthRecording?, isCut: Bool) {
    depth = take.flatMap { $0.frames > 0 ? $0 : nil }
    if isCut { depth?.isCut = true }
    (guidance, preview) = (nil, nil)
    if let depth {
      note =
        depth.isCut
        ? LocalizedText("app.scan.cut", ["frames": "\(depth.frames)"])
        : depth.seconds < Self.shortest.inSeconds ? LocalizedText("app.scan.short") : nil
      if !depth.isCut { effects.feel(.success) }
    }
    keep()
  }

  func fail(_ problem: ViewError) {
    state = .problem(problem)
    effects.feel(.failure)
  }

  func takeNextFromList() {
    guard let next = workList.next else { return }
    (entry, label, subject) = (next.id, next.label, next.subject)
  }

  private func measure() async {
    var bytes = depth?.bytes ?? 0
    for photo in photos { bytes += await capture.size(of: photo.path) }
    dataBytes = bytes
  }
}
