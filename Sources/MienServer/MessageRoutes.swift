internal import Hummingbird
internal import MienModel
internal import MienService
internal import MienWire

/// The routes of messages and performances: translation between HTTP and the service, no judgement.
struct MessageRoutes<Observer: FaceObserver>: Sendable {
  let spaces: Spaces<Observer>
  let service: MessageService<Observer>
  let settings: ServerSettings

  func add(to router: Router<BasicRequestContext>) {
    router.post("/v1/messages") { request, _ in
      try await mayLock(request)
      let body = try await Requests.json(CreateMessageRequest.self, request, upTo: settings.maximumJSONBytes)
      let (state, receipt) = try await service.lock(MessageWish(body))
      var reply = MessageReply(state)
      reply.receipt = receipt
      var response = Replies.json(reply, status: .created)
      response.headers[.location] = "/v1/messages/\(state.number)"
      return response
    }
    router.post("/v1/messages/recordings") { request, _ in
      try await mayLock(request)
      let body = try await Requests.json(RecordingRequest.self, request, upTo: settings.maximumJSONBytes)
      let begun = try await service.record(length: body.steps, calibrates: body.calibrate == true)
      return Replies.json(PerformanceReply(begun), status: .created)
    }
    router.get("/v1/messages/:id") { _, context in
      Replies.json(MessageReply(try await service.state(of: Self.number(context))))
    }
    router.get("/v1/messages/:id/gif") { _, context in
      Replies.bytes(try await service.gif(of: Self.number(context)), type: "image/gif")
    }
    router.delete("/v1/messages/:id") { request, context in
      try await service.delete(Self.number(context), receipt: Requests.bearer(request))
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    router.post("/v1/messages/:id/unlock") { request, context in
      let body = try await Requests.json(UnlockRequest.self, request, upTo: settings.maximumJSONBytes)
      let begun = try await service.unlock(Self.number(context), calibrates: body.calibrate == true)
      return Replies.json(PerformanceReply(begun), status: .created)
    }
    router.post("/v1/performances/:id/frames") { request, context in
      let id = try Self.performance(context)
      try Requests.expect(request, types: ["image/jpeg", "image/png"])
      let bytes = try await Requests.body(request, upTo: settings.maximumFrameBytes)
      let step = try await service.look(
        at: bytes, of: id, token: Requests.bearer(request), client: Requests.client(request),
        capturedAt: Requests.capturedAt(request))
      return Replies.json(PerformanceStepReply(step))
    }
    router.post("/v1/performances/:id/observations") { request, context in
      let id = try Self.performance(context)
      try Requests.expect(request, types: ["application/json", "application/x-ndjson"])
      let bytes = try await Requests.body(request, upTo: settings.maximumObservationBytes)
      let isDocument = Requests.mediaType(request) == "application/json"
      let step = try await service.claim(
        isDocument ? Claims.observation(bytes) : Claims.observations(bytes), of: id, token: Requests.bearer(request),
        client: Requests.client(request))
      return Replies.json(PerformanceStepReply(step))
    }
  }

  /// Anybody on a demo server, otherwise who holds an API key. Messages live in the live space only.
  private func mayLock(_ request: Request) async throws {
    guard !service.settings.allowsDemo else { return }
    try await spaces.live.service.authorise(key: Requests.bearer(request))
  }

  private static func number(_ context: BasicRequestContext) throws -> String {
    guard let text = context.parameters.get("id"), text.utf8.count <= 64 else {
      throw ServiceError(.badValue, "This is no message number.")
    }
    return text
  }

  private static func performance(_ context: BasicRequestContext) throws -> SessionID {
    guard let id = context.parameters.get("id").flatMap({ SessionID($0) }) else {
      throw ServiceError(.notFound, "There is no such performance on this server.")
    }
    return id
  }
}

extension MessageWish {
  init(_ request: CreateMessageRequest) throws {
    switch (request.steps, request.recording) {
    case (let names?, nil): self.init(text: request.text, steps: .names(names))
    case (nil, let recording?):
      guard let id = SessionID(recording.id) else {
        throw ServiceError(.badValue, "\"recording.id\" is no recording's id.")
      }
      self.init(text: request.text, steps: .recording(id, token: recording.token))
    default: throw ServiceError(.badValue, "Send either \"steps\" or \"recording\".")
    }
    if let mode = request.mode { self.mode = mode }
    if let avatar = request.avatar { self.avatar = avatar }
    attempts = request.attempts
    firstWait = request.firstWait
    views = request.views
    expiresIn = request.expiresIn
    needsFrames = request.requiresFrames == true
  }
}

extension MessageReply {
  init(_ state: MessageState) {
    self.init(
      id: state.number, state: state.standing.code, mode: state.mode.rawValue, avatar: state.avatar,
      steps: state.steps, viewsLeft: state.viewsLeft, requiresFrames: state.needsFrames,
      createdAt: Replies.rfc3339(milliseconds: state.created.milliseconds),
      expiresAt: Replies.rfc3339(milliseconds: state.expires.milliseconds))
    if case .ready(let left) = state.standing { attemptsLeft = left }
    if case .waiting(let until) = state.standing { waitsUntil = Replies.rfc3339(milliseconds: until.milliseconds) }
    if !state.standing.isOver { gif = "/v1/messages/\(state.number)/gif" }
  }
}

extension PerformanceReply {
  init(_ begun: MessageService<some FaceObserver>.Begun) {
    self.init(
      id: begun.id.text, token: begun.token, steps: begun.steps,
      expiresAt: Replies.rfc3339(milliseconds: begun.expires.milliseconds))
  }
}

extension PerformanceStepReply {
  init(_ step: PerformanceStep) {
    self.init(
      state: step.state.code, face: step.face, seen: step.seen, hold: step.holdShare, neutral: step.isNeutralReached,
      performed: step.performed, count: step.count, repeated: step.repeated,
      source: step.isClaimed ? "claimed" : "observed",
      remainingMilliseconds: max(0, Int(step.remaining.nanoseconds / 1_000_000)))
    switch step.state {
    case .opened(let message, let left):
      text = message
      viewsLeft = left
    case .wrong(let left): attemptsLeft = left
    case .refused(.waiting(let until)): waitsUntil = Replies.rfc3339(milliseconds: until.milliseconds)
    case .refused, .recorded, .calibrating, .performing: break
    }
  }
}
