import Foundation
import MienClient
import MienViewModels
import MienCore
import MienAPI
import Testing

/// All states of the view model of a check.
@MainActor @Suite struct `Check view model` {
  private let effects = EffectRecorder()
  private static let frames = "POST /v1/checks/chk_1/frames"

  private func step(_ state: String, _ instruction: String, reason: String? = nil, hints: [FramingHint] = [])
    -> PathServer.Answer
  {
    .json(
      StepResponse(
        state: state, instruction: instruction, side: .subjectLeft, progress: 0.5, hints: hints, reason: reason,
        remaining: .seconds(7), outline: []))
  }

  private func flow(
    _ answers: [PathServer.Answer], camera: DrawnCamera = DrawnCamera(), aloud: Bool = true, isOnline: Bool = true
  ) throws -> CheckViewModel {
    let network = try network(PathServer([Self.frames: answers]))
    network.isOnline = isOnline
    return CheckViewModel(
      network: network, camera: camera, effects: effects.handler, options: LivenessOptions(allowAudio: aloud),
      session: .given(CheckSession(id: "chk_1", token: "t")))
  }

  @Test func `a check goes from idle to success with haptics and announcements`() async throws {
    let flow = try flow([
      step("positioning", "position-face", hints: [.tooFar]), step("positioning", "hold-still"),
      step("instructing", "get-ready"), step("tracking", "turn"), step("tracking", "come-back"), step("passed", "done"),
    ])
    #expect(flow.state == .idle && flow.instruction == nil)
    await flow.begin()
    #expect(flow.state == .success && flow.data?.passed == true && effects.haptics == [.success])
    #expect(
      effects.said.map(\.key) == [
        "instruction.position-face", "instruction.hold-still", "instruction.get-ready.subject-left",
        "instruction.turn.subject-left", "instruction.come-back", "passed.title",
      ])
    let texts = try Texts.load("en")
    #expect(effects.said.allSatisfy { texts.has($0.key) })
    await flow.begin()
    #expect(flow.state == .success)
  }

  @Test(arguments: [
    ("failed", "wrong-direction", CheckViewModel.State.failure("wrong-direction")),
    ("timed-out", "timed-out", .timedOut),
    ("failed", "of-tomorrow", .failure("of-tomorrow")),
  ]) func `a failed check has a message for its reason`(state: String, reason: String, expected: CheckViewModel.State)
    async throws
  {
    let flow = try flow([step("tracking", "turn"), step(state, "done", reason: reason)], aloud: false)
    await flow.begin()
    #expect(flow.state == expected && effects.haptics == [.failure] && effects.said.isEmpty)
    let notice = try #require(try Texts.load("en").first(flow.notices))
    #expect(notice.title.key == (reason == "of-tomorrow" ? "reason.unknown.title" : "reason.\(reason).title"))
  }

  @Test(arguments: [
    (DrawnCamera(allowed: .refused), ViewError.cameraRefused),
    (DrawnCamera(allowed: .notDetermined, answer: .refused), .cameraRefused),
    (DrawnCamera(problem: .cameraAbsent), .cameraAbsent), (DrawnCamera(problem: .noTracking), .noTracking),
    (DrawnCamera(images: 1), .cameraLost),
  ]) func `an unusable camera gives an error with a next action`(camera: DrawnCamera, problem: ViewError) async throws {
    let flow = try flow([step("positioning", "position-face")], camera: camera)
    await flow.begin()
    #expect(flow.state == .problem(problem))
    #expect(try Texts.load("en").first(flow.notices)?.title.key != "problem.unknown.title")
  }

  @Test func `a person who grants permission continues`() async throws {
    let flow = try flow([step("passed", "done")], camera: DrawnCamera(allowed: .notDetermined, answer: .granted))
    await flow.begin()
    #expect(flow.state == .success)
  }

  @Test(arguments: [(true, ViewError.unreachable), (false, .offline)])
  func `an unreachable server is reported as such`(isOnline: Bool, problem: ViewError) async throws {
    let flow = try flow([.silence], isOnline: isOnline)
    await flow.begin()
    #expect(flow.state == .problem(problem))
  }

  @Test func `a lost reply shows an overlay that disappears on recovery`() async throws {
    let flow = try flow([step("tracking", "turn"), .silence, step("passed", "done")])
    await flow.begin()
    #expect(flow.state == .success && flow.cover == nil)
  }

  @Test(arguments: [(PathServer.Answer.silence, "unreachable"), (.problem("busy", 503), "busy")])
  func `an overlay has a title and a text`(answer: PathServer.Answer, name: String) async throws {
    let server = PathServer([Self.frames: [answer, step("passed", "done")]])
    let flow = CheckViewModel(
      network: try network(server), camera: DrawnCamera(), effects: effects.handler,
      session: .given(CheckSession(id: "chk_1", token: "t")))
    let calls = Box(0)
    let shown = Box<ViewNotice?>(nil)
    await server.heed { _ in
      calls.change { $0 += 1 }
      guard calls.value == 2 else { return }
      // The second frame is sent while the notice of the first failure is shown.
      try? await eventually { await flow.cover != nil }
      let cover = await flow.cover
      shown.change { $0 = cover }
    }
    await flow.begin()
    let notice = try #require(shown.value)
    let texts = try Texts.load("en")
    #expect(notice.title.key == "cover.\(name).title" && texts.has(notice.title.key) && texts.has(notice.text.key))
  }

  @Test(arguments: ["token-expired", "second-client", "locked-out", "not-found"])
  func `a rejection has a message`(code: String) async throws {
    let flow = try flow([.problem(code, 403)])
    await flow.begin()
    #expect(flow.state == .problem(ViewError(code: code, recovery: .again)))
    #expect(try Texts.load("en").first(flow.notices)?.title.key == "problem.\(code).title")
  }

  /// Camera that opens when permitted by the test.
  private actor SlowCamera: FlowCamera {
    private(set) var opening: [CheckedContinuation<Void, Never>] = []
    private(set) var closed: [Int] = []

    func permission() -> CameraPermission { .granted }
    func ask() -> CameraPermission { .granted }

    func open() async throws -> any FrameSource {
      let number = opening.count
      await withCheckedContinuation { opening.append($0) }
      return RecordedFrames(camera: self, number: number)
    }

    func close(_ number: Int) { closed.append(number) }

    private struct RecordedFrames: FrameSource {
      let camera: SlowCamera
      let number: Int

      func next() async -> EncodedFrame? { EncodedFrame(bytes: [0xFF, 0xD8], at: .zero) }
      func close() async { await camera.close(number) }
    }
  }

  @Test func `a start canceled while the camera opens does not affect the next one and releases the camera`()
    async throws
  {
    let (server, camera) = (PathServer([Self.frames: [step("passed", "done")]]), SlowCamera())
    let flow = CheckViewModel(
      network: try network(server), camera: camera, effects: effects.handler,
      session: .given(CheckSession(id: "chk_1", token: "t")))
    let first = Task { await flow.begin() }
    try await eventually { await camera.opening.count == 1 }
    flow.stop()
    let second = Task { await flow.begin() }
    try await eventually { await camera.opening.count == 2 }
    await camera.opening[0].resume()
    await first.value
    #expect(flow.state == .starting, "it still waits for the camera of its own")
    #expect(await camera.closed == [0])
    #expect(await server.calls.isEmpty)
    await camera.opening[1].resume()
    await second.value
    #expect(flow.state == .success)
    #expect(await camera.closed == [0, 1])
  }

  @Test(arguments: [true, false]) func `an interruption or a stop ends the check and it can start again`(isCall: Bool)
    async throws
  {
    let server = PathServer([Self.frames: [step("tracking", "turn")]])
    let flow = CheckViewModel(
      network: try network(server), camera: DrawnCamera(), effects: effects.handler,
      session: .given(CheckSession(id: "chk_1", token: "t")))
    let running = Task { await flow.begin() }
    try await eventually { flow.state == .tracking }
    if isCall { flow.interrupted() } else { flow.stop() }
    await running.value
    #expect(flow.state == (isCall ? .problem(.interrupted) : .idle))
    await server.set(Self.frames, [step("passed", "done")])
    await flow.begin()
    #expect(flow.state == .success)
  }

  /// Step of a light task at a color of this number, and the time until the next one.
  private func light(_ number: Int, until: Interval = .seconds(60)) -> PathServer.Answer {
    var prompt = TaskResponse.Prompt()
    prompt.done = number
    prompt.light = TaskResponse.Light(
      color: "#ffaaaa", next: [], until: until, dwell: .milliseconds(500), canDecline: true)
    return .json(
      StepResponse(
        state: "tracking", instruction: "perform", side: nil, progress: 0.5, hints: [], reason: nil,
        remaining: .seconds(7), outline: [],
        task: TaskResponse(kind: "light", index: 0, count: 1, prompt: prompt)))
  }

  @Test(arguments: ["in time", "skipped", "late"]) func `a light task is declined once if a color is late`(
    colors: String
  ) async throws {
    let steps =
      switch colors {
      case "skipped": [light(0), light(2), light(4)]
      case "late": [light(0), light(1, until: .zero), light(2, until: .zero)]
      default: [light(0), light(1), light(1)]
      }
    let decline = "POST /v1/checks/chk_1/decline"
    let server = PathServer([
      Self.frames: steps + [step("passed", "done")], decline: [step("instructing", "get-ready")],
    ])
    let flow = CheckViewModel(
      network: try network(server), camera: DrawnCamera(), effects: effects.handler,
      session: .given(CheckSession(id: "chk_1", token: "t")))
    let calls = Box(0)
    await server.heed { call in
      guard call.url.path.hasSuffix("/frames") else { return }
      calls.change { $0 += 1 }
      // The last colors are shown when the first late one has been declined.
      guard colors != "in time", calls.value > 3 else { return }
      try? await eventually { await server.calls.contains { $0.url.path.hasSuffix("/decline") } }
    }
    await flow.begin()
    #expect(flow.state == .success && flow.light == nil)
    let declined = await server.calls.count { $0.url.path.hasSuffix("/decline") }
    #expect(declined == (colors == "in time" ? 0 : 1))
  }
}
