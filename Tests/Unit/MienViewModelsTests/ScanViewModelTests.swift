import Foundation
import MienClient
import MienViewModels
import MienCore
import Testing

/// The four steps of a scan, including all interruptions.
@MainActor @Suite final class `Scan view model` {
  private let effects = EffectRecorder()
  private let store = MemoryStore()
  private let capture: StubScanCapture
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-flows-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    capture = StubScanCapture(folder)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Simulated scanner.
  private actor StubScanCapture: ScanCapturing {
    let folder: URL
    var allowed = CameraPermission.granted
    var can = ScanCapabilities(tracks: true, measuresDepth: true)
    var free: Int? = 1_000_000_000
    var face: Bool? = true
    var problem: ViewError?
    var left: DepthRecording?
    private(set) var discarded: [String] = []
    private var count = 0
    private var news: AsyncStream<ScanEvent>.Continuation?
    private var frames = 0
    var seconds = 7.0

    init(_ folder: URL) {
      self.folder = folder
    }

    func set(_ work: @Sendable (isolated StubScanCapture) -> Void) { work(self) }
    func permission() -> CameraPermission { allowed }
    func ask() -> CameraPermission { allowed }
    func abilities() -> ScanCapabilities { can }
    func freeBytes() -> Int? { free }

    func photograph() throws -> CapturedPhoto {
      if let problem { throw problem }
      count += 1
      try Data(repeating: UInt8(count), count: 300).write(to: folder.appendingPathComponent("p\(count).jpg"))
      return CapturedPhoto(id: "\(count)", path: "p\(count).jpg", hasFace: face)
    }

    func begin() throws -> AsyncStream<ScanEvent> {
      if let problem { throw problem }
      let (stream, continuation) = AsyncStream<ScanEvent>.makeStream()
      news = continuation
      return stream
    }

    var isScanning: Bool { news != nil }

    func tell(_ each: ScanEvent) {
      if case .frames(let count, _, _) = each { frames = count }
      news?.yield(each)
    }

    func end() -> DepthRecording? {
      news?.finish()
      news = nil
      guard frames > 0 else { return nil }
      try? Data(repeating: 9, count: 500).write(to: folder.appendingPathComponent("scan.mienscan"))
      return DepthRecording(path: "scan.mienscan", frames: frames, bytes: 500, seconds: seconds)
    }

    func rescued() -> DepthRecording? { left }
    func discard(_ paths: [String]) { discarded += paths }
    func size(of path: String) -> Int { (try? Data(contentsOf: folder.appendingPathComponent(path)).count) ?? 0 }
  }

  private func flow(_ server: PathServer = PathServer([:]), _ queue: UploadQueue? = nil) throws -> ScanViewModel {
    ScanViewModel(
      capture: capture, queue: try queue ?? self.queue(server), network: try network(server), effects: effects.handler,
      store: store, folder: folder)
  }

  private func queue(_ server: PathServer) throws -> UploadQueue {
    try UploadQueue(
      folder: folder.appendingPathComponent("queue"), server: network(server).server,
      retryPolicy: UploadRetryPolicy(retries: 1), transport: server, clock: StepClock())
  }

  /// Returns a server that accepts every scan.
  private static func taking(status: String = "uploading") -> PathServer {
    struct File: Encodable { let name: String, received: Int, upload: String }
    struct Ticket: Encodable { let id = "scn_1", status: String, files: [File] }
    struct Empty: Encodable {}
    // The files count as already uploaded: the queue's own tests send bytes.
    let files = [("image1.jpg", 300), ("image2.jpg", 300), ("image3.jpg", 300), ("scan.mienscan", 500)].map {
      File(name: $0.0, received: $0.1, upload: "/v1/uploads/u")
    }
    return PathServer([
      "POST /v1/scans": [.json(Ticket(status: status, files: files), 201)],
      "GET /v1/scans/scn_1": [.json(Ticket(status: status, files: files))],
      "POST /v1/scans/scn_1/submit": [.json(Empty(), 202)],
    ])
  }

  private func photographed(_ flow: ScanViewModel) async {
    await flow.begin()
    for _ in 0..<3 { await flow.photograph() }
  }

  /// Runs a scan with the given events, and stops it unless the last event ends it.
  private func scan(_ flow: ScanViewModel, _ news: [ScanEvent], isCut: Bool = false) async throws {
    let running = Task { await flow.scan() }
    try await eventually { await capture.isScanning }
    for each in news {
      await capture.tell(each)
      if case .frames(let count, _, _) = each { try await eventually { flow.frames >= count } }
    }
    if isCut { try await eventually { flow.state != .scanning } } else { await flow.stop() }
    await running.value
  }

  private static let frames = (1...5).map {
    ScanEvent.frames($0 * 10, at: .zero + .seconds(Double($0)), ScanGuidance(isInRange: true))
  }

  @Test func `a scan goes from photos and depth through review and upload to the start`() async throws {
    let flow = try flow(Self.taking())
    #expect(flow.state == .idle && !flow.mayPhotograph && !flow.mayScan && !flow.mayReview)
    await flow.begin()
    #expect(
      flow.state == .capturing && flow.instruction == LocalizedText("app.scan.photo", ["number": "1", "count": "3"]))
    for number in 1...3 {
      #expect(flow.mayPhotograph && !flow.mayScan && !flow.mayReview)
      await flow.scan()
      flow.review()
      await flow.upload()
      #expect(flow.state == .capturing, "photograph \(number) comes first")
      await flow.photograph()
    }
    #expect(!flow.mayPhotograph && flow.mayScan && flow.instruction?.key == "app.scan.start")
    try await scan(flow, Self.frames)
    #expect(flow.depth?.frames == 50 && flow.note == nil && flow.fraction > 0 && flow.fraction <= 1)
    #expect(flow.instruction?.key == "app.scan.complete" && flow.mayReview && !flow.mayScan)
    flow.review()
    #expect(flow.state == .reviewing)
    try await eventually { flow.dataBytes == 3 * 300 + 500 }
    await flow.upload()
    #expect(flow.state == .done("scn_1"))
    #expect(effects.haptics == [.step, .step, .step, .inRange, .success, .success])
    await flow.next()
    #expect(flow.state == .capturing && flow.photos.isEmpty && flow.depth == nil && flow.subject == nil)
    #expect(await capture.discarded == ["p1.jpg", "p2.jpg", "p3.jpg", "scan.mienscan"])
    #expect(store.read("scan") == nil)
  }

  @Test func `progress is reported in percent and frames`() async throws {
    let flow = try flow()
    await photographed(flow)
    let running = Task { await flow.scan() }
    try await eventually { await capture.isScanning }
    let far = ScanGuidance(advice: LocalizedText("hint.too-far"), isInRange: false)
    await capture.tell(.frames(235, at: .zero, far))
    try await eventually { flow.frames >= 235 }
    #expect(
      flow.instruction?.key == "app.scan.scanning" && flow.instruction?.values["frames"] == "235"
        && flow.guidance == far)
    await flow.stop()
    await running.value
    #expect(flow.guidance == nil)
  }

  @Test func `guidance and completion are reported during the scan`() async throws {
    let flow = try flow()
    await photographed(flow)
    let running = Task { await flow.scan() }
    try await eventually { await capture.isScanning }
    let felt = effects.haptics.count
    let guidanceSteps: [ScanGuidance] = [
      ScanGuidance(advice: LocalizedText("hint.too-close"), isInRange: false),
      ScanGuidance(advice: LocalizedText("app.scan.show-left"), isInRange: true, left: 0.4),
      ScanGuidance(
        advice: LocalizedText("app.scan.enough"), isInRange: true, left: 1, right: 1, top: 1, isEnough: true),
      ScanGuidance(
        advice: LocalizedText("app.scan.enough"), isInRange: true, left: 1, right: 1, top: 1, isEnough: true),
    ]
    for (index, each) in guidanceSteps.enumerated() {
      await capture.tell(.frames(index + 1, at: .zero + .seconds(Double(index)), each))
      try await eventually { flow.frames == index + 1 }
      #expect(flow.guidance == each)
    }
    #expect(Array(effects.haptics.dropFirst(felt)) == [.inRange, .step], "each is felt once")
    await flow.stop()
    await running.value
  }

  @Test func `photos and depth can be retaken`() async throws {
    let flow = try flow()
    await photographed(flow)
    try await scan(flow, Self.frames)
    flow.review()
    await flow.retake(flow.photos[1])
    #expect(flow.state == .capturing && flow.photos.map(\.id) == ["1", "3"] && flow.mayPhotograph)
    await flow.photograph()
    flow.review()
    await flow.rescan()
    #expect(flow.depth == nil && flow.mayScan)
    #expect(await capture.discarded == ["p2.jpg", "scan.mienscan"])
  }

  @Test func `a photo without a face is accepted and reported`() async throws {
    await capture.set { $0.face = false }
    let flow = try flow()
    await photographed(flow)
    #expect(flow.photos.count == 3 && flow.note == LocalizedText("app.scan.no-face"))
  }

  @Test func `a short scan is reported`() async throws {
    await capture.set { $0.seconds = 2 }
    let flow = try flow()
    await photographed(flow)
    try await scan(flow, Self.frames)
    #expect(flow.note == LocalizedText("app.scan.short") && flow.mayReview)
  }

  @Test(arguments: [
    (ScanEvent.hot, ViewError.hot), (.lowMemory, .lowMemory), (.lowStorage, .lowStorage), (.interrupted, .interrupted),
    (.cameraLost, .cameraLost),
  ]) func `an interrupted scan keeps the recorded frames`(news: ScanEvent, problem: ViewError) async throws {
    let flow = try flow()
    await photographed(flow)
    try await scan(flow, Self.frames + [news], isCut: true)
    #expect(flow.state == .problem(problem) && flow.photos.count == 3)
    #expect(flow.depth?.isCut == true && flow.note == LocalizedText("app.scan.cut", ["frames": "50"]))
    await flow.proceed()
    #expect(flow.state == .reviewing)
    await flow.rescan()
    #expect(flow.mayScan)
  }

  @Test func `a scan interrupted before its first frame is discarded`() async throws {
    let flow = try flow()
    await photographed(flow)
    try await scan(flow, [.interrupted], isCut: true)
    #expect(flow.state == .problem(.interrupted) && flow.depth == nil)
    await flow.proceed()
    #expect(flow.mayScan)
  }

  @Test func `a clock change discards the scan and keeps the photos`() async throws {
    let flow = try flow()
    await photographed(flow)
    try await scan(flow, Self.frames + [.frames(50, at: .zero, ScanGuidance())], isCut: true)
    #expect(flow.state == .problem(.clockChanged) && flow.depth == nil && flow.photos.count == 3)
    #expect(await capture.discarded == ["scan.mienscan"])
    await flow.proceed()
    #expect(flow.mayScan)
  }

  @Test func `missing permission, tracking or storage gives an error with a next action`() async throws {
    let flow = try flow()
    await capture.set { $0.allowed = .refused }
    await flow.begin()
    #expect(flow.state == .problem(.cameraRefused))
    await capture.set {
      $0.allowed = .granted; $0.can.tracks = false
    }
    await flow.proceed()
    #expect(flow.state == .problem(.noTracking))
    await flow.proceed()
    #expect(flow.state == .idle)
    await capture.set {
      $0.can.tracks = true; $0.free = 1000
    }
    await flow.begin()
    #expect(flow.state == .problem(.lowStorage))
    await capture.set { $0.free = nil }
    await flow.proceed()
    #expect(flow.state == .capturing)
    await capture.set { $0.problem = .cameraBusy }
    await flow.photograph()
    #expect(flow.state == .problem(.cameraBusy))
  }

  @Test func `without depth only the photos are uploaded`() async throws {
    await capture.set { $0.can.measuresDepth = false }
    let flow = try flow()
    await flow.begin()
    #expect(flow.state == .problem(.noDepth))
    await flow.proceed()
    for _ in 0..<3 { await flow.photograph() }
    #expect(flow.mayReview && !flow.mayScan && flow.goesWithoutDepth)
  }

  @Test func `a killed app resumes with its photos and depth`() async throws {
    let first = try flow()
    first.subject = "sub_1"
    await photographed(first)
    let running = Task { await first.scan() }
    try await eventually { await capture.isScanning }
    await capture.tell(.frames(12, at: .zero, ScanGuidance()))
    try await eventually { first.frames >= 12 }
    // The app is terminated here: the next instance has only the store and the disk.
    await capture.set { $0.left = DepthRecording(path: "scan.mienscan", frames: 12, bytes: 100, seconds: 1) }
    let kept = try #require(store.read("scan"))
    await first.stop()
    await running.value
    try store.write("scan", kept)
    let second = try flow()
    await second.begin()
    #expect(second.state == .reviewing && second.photos.count == 3 && second.subject == "sub_1")
    #expect(second.depth?.isCut == true && second.depth?.frames == 12)
    #expect(second.note == LocalizedText("app.scan.cut", ["frames": "12"]))
  }

  @Test func `a corrupt draft is restarted`() async throws {
    try store.write("scan", [1, 2, 3])
    let flow = try flow()
    await flow.begin()
    #expect(flow.state == .capturing && flow.photos.isEmpty)
  }

  @Test func `an upload without a network is queued and resumed by a killed app`() async throws {
    let first = try flow(PathServer([:]))
    await photographed(first)
    try await scan(first, Self.frames)
    first.review()
    await first.upload()
    #expect(first.state == .uploading && first.instruction?.key == "app.scan.waiting")
    let second = try flow(Self.taking())
    await second.begin()
    #expect(second.state == .done("scn_1"))
  }

  /// Advances a scan to the review.
  private func reviewed(_ flow: ScanViewModel) async throws {
    await photographed(flow)
    try await scan(flow, Self.frames)
    flow.review()
  }

  @Test func `a paused upload reports it and can be resumed`() async throws {
    let server = Self.taking()
    let flow = try flow(server)
    try await reviewed(flow)
    await server.heed { _ in for await _ in AsyncStream<Void>.makeStream().stream {} }
    let running = Task { await flow.upload() }
    try await eventually { flow.progress?.phase == .querying }
    await flow.pause()
    await running.value
    #expect(flow.state == .uploading && flow.progress?.phase == .paused && flow.progress?.reason == nil)
    #expect(flow.instruction == LocalizedText("scan.paused"))
    await server.heed { _ in }
    await flow.resume()
    #expect(flow.state == .done("scn_1"))
  }

  @Test func `an upload paused before the app was killed is resumed`() async throws {
    let first = try flow()
    try await reviewed(first)
    await first.upload()
    await first.pause()
    let second = try flow(Self.taking())
    await second.begin()
    #expect(second.state == .uploading && second.progress?.phase == .paused)
    #expect(second.progress?.bytes == 1400 && second.progress?.fraction == 0)
    await second.resume()
    #expect(second.state == .done("scn_1"))
  }

  @Test func `a background upload is followed to its end`() async throws {
    let first = try flow()
    try await reviewed(first)
    await first.upload()
    let server = Self.taking()
    let (gate, open) = AsyncStream<Void>.makeStream()
    let calls = Box(0)
    await server.heed { _ in
      calls.change { $0 += 1 }
      for await _ in gate { break }
    }
    let queue = try queue(server)
    let background = Task { try await queue.run() }
    try await eventually { calls.value > 0 }
    let second = try flow(server, queue)
    let beginning = Task { await second.begin() }
    try await eventually { second.state == .uploading }
    for _ in 0..<500 { _ = try await queue.jobs() }
    open.finish()
    await beginning.value
    try await background.value
    #expect(second.state == .done("scn_1"))
    #expect(await server.calls.filter { $0.url.path.hasSuffix("/submit") }.count == 1)
  }

  @Test func `a rejection is reported and the scan can be sent again`() async throws {
    let server = PathServer(["POST /v1/scans": [.problem("unauthorized", 401)]])
    let flow = try flow(server)
    await photographed(flow)
    try await scan(flow, Self.frames)
    flow.review()
    await flow.upload()
    #expect(flow.state == .refused(UploadJob.Problem(code: "unauthorized", detail: "The words of unauthorized.")))
    #expect(try Texts.load("en").has(try #require(flow.instruction).key))
    await flow.reconsider()
    #expect(flow.state == .reviewing && flow.photos.count == 3)
  }

  @Test func `abandoning a scan deletes everything`() async throws {
    let flow = try flow()
    await photographed(flow)
    await flow.abandon()
    #expect(flow.state == .idle && flow.photos.isEmpty && store.read("scan") == nil)
  }
}
