import Foundation
import MienClient
import MienViewModels
import MienCore
import MienAPI
import Testing

/// All states of the view models for creating and opening messages.
@MainActor @Suite struct `Message view models` {
  private let effects = EffectRecorder()
  private let store = MemoryStore()
  // A message ID with valid check digits.
  private static let number = "0000-0000-0000-0000"
  private static let gif = Array("GIF89a and so on".utf8)

  private static func step(
    _ state: String, _ performed: [String] = [], change: (inout PerformanceStepResponse) -> Void = { _ in }
  )
    -> PathServer.Answer
  {
    var step = PerformanceStepResponse(
      state: state, face: "one-face", seen: nil, hold: 0, neutral: true, performed: performed, count: 3,
      repeated: false, source: "observed", remainingMilliseconds: 1000)
    change(&step)
    return .json(step)
  }

  private static func message(_ state: String = "ready", receipt: String? = nil, until: String? = nil)
    -> PathServer.Answer
  {
    var reply = MessageResponse(
      id: number, state: state, mode: "open", avatar: "bear", steps: 3, viewsLeft: nil, requiresFrames: false,
      requiresPassive: false, requiresLink: false, createdAt: "2026-01-01T00:00:00Z", expiresAt: "2026-01-02T00:00:00Z")
    reply.receipt = receipt
    reply.waitsUntil = until
    return .json(reply)
  }

  private static let begun = PathServer.Answer.json(
    PerformanceResponse(id: "prf_1", token: "t", steps: 3, expiresAt: "2026-01-01T00:03:00Z"), 201)
  private static let frames = "POST /v1/performances/prf_1/frames"

  private func server(_ more: [String: [PathServer.Answer]] = [:]) -> PathServer {
    PathServer(
      [
        "POST /v1/messages/recordings": [Self.begun], "POST /v1/messages/\(Self.number)/unlock": [Self.begun],
        "POST /v1/messages": [Self.message(receipt: "rcp_1")], "GET /v1/messages/\(Self.number)": [Self.message()],
        "GET /v1/messages/\(Self.number)/gif": [.bytes(Self.gif)],
        Self.frames: [
          Self.step("performing"), Self.step("performing"), Self.step("performing", ["smile"]),
          Self.step("performing", ["smile", "wink_l"]), Self.step("recorded", ["smile", "wink_l", "smile"]),
        ],
      ].merging(more) { $1 })
  }

  private func encode(_ server: PathServer, camera: DrawnCamera = DrawnCamera()) throws -> EncodeViewModel {
    EncodeViewModel(
      network: try network(server), camera: camera, effects: effects.handler, profile: ProfileViewModel(store: store),
      store: store)
  }

  private func decode(_ server: PathServer, camera: DrawnCamera = DrawnCamera()) throws -> DecodeViewModel {
    DecodeViewModel(
      network: try network(server), camera: camera, effects: effects.handler, profile: ProfileViewModel(store: store))
  }

  // MARK: - Creating

  @Test func `a text is entered, performed, locked and shared`() async throws {
    let server = server()
    let flow = try encode(server)
    #expect(!flow.mayLock)
    flow.text = "Meet me at six"
    #expect(flow.mayLock && flow.count.values["number"] == "14")
    await flow.lock()
    guard case .sharing(let message) = flow.state else {
      Issue.record("\(flow.state)")
      return
    }
    #expect(message.receipt == "rcp_1" && flow.performed == ["smile", "wink_l", "smile"])
    #expect(effects.haptics == [.step, .step, .step, .success])
    await flow.share()
    #expect(effects.shared.map(\.bytes) == [Self.gif] && effects.shared.first?.name == "mien-\(Self.number).gif")
    let profile = ProfileViewModel(store: store)
    #expect(profile.settings.locked == 1 && profile.messages.first?.isSent == true)
    flow.another()
    #expect(flow.state == .entering && flow.text.isEmpty && flow.gif == nil)
    #expect(try encode(server).text.isEmpty)
  }

  @Test func `a message for those with its link is shared with it and opens from the list`() async throws {
    let key = "abcdefghijklmnopqrstuv"
    var locked = MessageResponse(
      id: Self.number, state: "ready", mode: "open", avatar: "bear", steps: 3, viewsLeft: nil, requiresFrames: false,
      requiresPassive: false, requiresLink: true, createdAt: "2026-01-01T00:00:00Z", expiresAt: "2026-01-02T00:00:00Z")
    let looked = locked
    locked.receipt = "rcp_1"
    locked.linkKey = key
    let server = server([
      "POST /v1/messages": [.json(locked)], "GET /v1/messages/\(Self.number)": [.json(looked)],
    ])
    let flow = try encode(server)
    flow.text = "Only you"
    (flow.requiresLink, flow.isSmooth) = (true, true)
    await flow.lock()
    let link = try #require(flow.link)
    #expect(link.hasSuffix("/decode#\(Self.number)/\(key)"))
    await flow.share()
    #expect(effects.shared.map(\.text) == [link])
    let lock = try #require(await server.calls.first { $0.url.path == "/v1/messages" }?.body)
    #expect(try JSONDecoder().decode(CreateMessageRequest.self, from: Data(lock)).requiresLink == true)
    #expect(await server.calls.contains { $0.url.path.hasSuffix("/gif") && $0.url.query == "style=smooth" })
    // The next app knows the link from its list; without the key the message is closed.
    let saved = try #require(ProfileViewModel(store: store).messages.first)
    #expect(saved.link == "\(Self.number)/\(key)" && !"\(saved)".contains(key))
    let reader = try decode(server)
    await reader.choose(text: saved.link)
    #expect(reader.state == .ready(looked))
    reader.leave()
    await reader.choose(text: saved.number)
    #expect(reader.state == .closed("link", until: nil))
    flow.another()
    #expect(flow.link == nil)
  }

  @Test(arguments: ["", "   ", String(repeating: "👩‍👩‍👧‍👦", count: 101)])
  func `an invalid text cannot be locked`(text: String) async throws {
    let server = server()
    let flow = try encode(server)
    flow.text = text
    await flow.lock()
    #expect(flow.state == .entering && !flow.mayLock)
    #expect(await server.calls.isEmpty)
    flow.text = String(repeating: "👩‍👩‍👧‍👦", count: 100)
    #expect(flow.mayLock)
  }

  @Test func `a draft survives the end of the app`() async throws {
    try encode(server()).text = "half a thought"
    #expect(try encode(server()).text == "half a thought")
  }

  @Test func `a network failure while locking needs no second performance`() async throws {
    let server = server(["POST /v1/messages": [.silence, Self.message(receipt: "rcp_1")]])
    let flow = try encode(server)
    flow.text = "x"
    await flow.lock()
    #expect(flow.state == .problem(.unreachable))
    await flow.again()
    guard case .sharing = flow.state else {
      Issue.record("\(flow.state)")
      return
    }
    #expect(await server.calls.filter { $0.url.path.hasSuffix("/recordings") }.count == 1)
  }

  @Test func `a rejected performance is repeated and a late GIF is requested again`() async throws {
    let server = server([
      "POST /v1/messages": [.problem("bad-value", 422), Self.message(receipt: "rcp_1")],
      "GET /v1/messages/\(Self.number)/gif": [.silence, .bytes(Self.gif)],
    ])
    let flow = try encode(server)
    flow.text = "x"
    await flow.lock()
    #expect(flow.state == .problem(ViewError(code: "bad-value", recovery: .again)))
    await flow.again()
    #expect(await server.calls.filter { $0.url.path.hasSuffix("/recordings") }.count == 2)
    #expect(flow.gif == nil)
    await flow.share()
    #expect(effects.shared.count == 1)
  }

  @Test(arguments: [
    (DrawnCamera(allowed: .refused), ViewError.cameraRefused), (DrawnCamera(images: 1), .cameraLost),
    (DrawnCamera(problem: .cameraBusy), .cameraBusy),
  ]) func `without a camera nothing is recorded and the text is kept`(camera: DrawnCamera, problem: ViewError)
    async throws
  {
    let flow = try encode(server(), camera: camera)
    flow.text = "x"
    await flow.lock()
    #expect(flow.state == .problem(problem) && flow.text == "x")
    flow.cancel()
    #expect(flow.mayLock)
  }

  @Test(arguments: [(3, 3), (12, 12), (7, 7), (2, 3), (13, 12), (.min, 3), (.max, 12)])
  func `a sequence has three to twelve steps`(options: Int, steps: Int) throws {
    let flow = try encode(server())
    flow.steps = options
    #expect(flow.steps == steps)
  }

  @Test func `canceling a recording returns to the text`() async throws {
    let flow = try encode(server([Self.frames: [Self.step("performing", ["smile"])]]))
    flow.text = "x"
    let running = Task { await flow.lock() }
    try await eventually { !flow.performed.isEmpty }
    #expect(flow.instruction?.key == "messages.make")
    flow.cancel()
    await running.value
    #expect(flow.state == .entering && flow.text == "x" && flow.performed.isEmpty)
  }

  // MARK: - Opening

  @Test func `a message ID is chosen, performed and read`() async throws {
    let server = server([
      Self.frames: [
        Self.step("performing", ["smile"]), Self.step("opened", ["smile", "wink_l", "smile"]) { $0.text = "hi" },
      ]
    ])
    let flow = try decode(server)
    await flow.choose(text: "https://mien.example/decode#\(Self.number)")
    guard case .ready = flow.state else {
      Issue.record("\(flow.state)")
      return
    }
    #expect(flow.gif == Self.gif)
    await flow.perform()
    #expect(flow.state == .revealed("hi", viewsLeft: nil))
    #expect("\(flow.state)" == "revealed" && effects.haptics.last == .success)
    #expect(ProfileViewModel(store: store).messages.map(\.number) == [Self.number])
    flow.leave()
    #expect(flow.state == .choosing(nil) && flow.message == nil)
  }

  @Test(arguments: [(7, true), (70, false)])
  func `a short delay after a wrong attempt is waited out and a longer one is reported`(seconds: Int, opens: Bool)
    async throws
  {
    let refusal = PathServer.Answer.problem("message-locked", 423, retryAfter: seconds)
    let flow = try decode(
      server([
        "POST /v1/messages/\(Self.number)/unlock": [refusal, Self.begun],
        Self.frames: [Self.step("opened") { $0.text = "hi" }],
      ]))
    await flow.choose(text: Self.number)
    await flow.perform()
    if opens {
      #expect(flow.state == .revealed("hi", viewsLeft: nil))
    } else if case .closed(let state, let until) = flow.state {
      #expect(state == "waiting" && until != nil)
    } else {
      Issue.record("\(flow.state)")
    }
  }

  @Test func `a wrong sequence can be tried again`() async throws {
    let wrong = Self.step("wrong", ["smile"]) { $0.attemptsLeft = 2 }
    let flow = try decode(server([Self.frames: [wrong, Self.step("opened") { $0.text = "hi" }]]))
    await flow.choose(text: Self.number)
    await flow.perform()
    #expect(
      flow.state == .wrong(performed: ["smile"], attemptsLeft: 2) && flow.notices == [ViewNotice("messages.wrong")])
    await flow.perform()
    #expect(flow.state == .revealed("hi", viewsLeft: nil))
  }

  @Test(arguments: ["waiting", "read", "expired", "deleted"])
  func `a message that cannot be opened reports the reason`(state: String) async throws {
    let flow = try decode(server(["GET /v1/messages/\(Self.number)": [Self.message(state, until: "soon")]]))
    await flow.choose(text: Self.number)
    #expect(flow.state == .closed(state, until: "soon"))
    #expect(try Texts.load("en").has(try #require(flow.notices.first).title.key))
  }

  @Test(arguments: [("locked", "waiting"), ("suspect", "suspect"), ("expired", "expired"), ("gone", "gone")])
  func `a performance can end with other results`(state: String, closed: String) async throws {
    let flow = try decode(server([Self.frames: [Self.step(state)]]))
    await flow.choose(text: Self.number)
    await flow.perform()
    #expect(flow.state == .closed(closed, until: nil))
    #expect(try Texts.load("en").has(try #require(flow.notices.first).title.key))
  }

  @Test(arguments: ["", "hello", "0000-0000-0000-0001", "../../keys", "#"])
  func `an invalid message ID is not looked up`(text: String) async throws {
    let server = server()
    let flow = try decode(server)
    await flow.choose(text: text)
    #expect(flow.state == .choosing(LocalizedText("messages.choose.no-number")))
    #expect(await server.calls.isEmpty)
  }

  @Test(arguments: [
    ("", "not-a-gif"), ("%PDF", "not-a-gif"), ("GIF89a", "unreadable"), ("GIF89a\u{1}\u{2}\u{3}", "unreadable"),
  ]) func `a GIF without a message is reported`(text: String, key: String) async throws {
    let flow = try decode(server())
    await flow.choose(gif: Array(text.utf8))
    #expect(flow.state == .choosing(LocalizedText("messages.choose.\(key)")))
  }

  @Test func `without a network nothing is lost`() async throws {
    let flow = try decode(server(["GET /v1/messages/\(Self.number)": [.silence, Self.message()]]))
    await flow.choose(text: Self.number)
    #expect(flow.state == .problem(.unreachable))
    await flow.again()
    guard case .ready = flow.state else {
      Issue.record("\(flow.state)")
      return
    }
  }
}
