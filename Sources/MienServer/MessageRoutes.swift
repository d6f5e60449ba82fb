internal import Hummingbird
internal import MienModel
internal import MienService
internal import MienWire

/// The routes of messages and performances: translation between HTTP and the service, no judgement.
struct MessageRoutes<Observer: FaceObserver>: Sendable {
  let spaces: Spaces<Observer>
  let messages: Spaces<Observer>.Messages
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    addMessages(to: router)
    addPictures(to: router)
    addPerformances(to: router)
  }

  private func addMessages(to router: Router<ServerContext>) {
    router.post("/v1/messages") { request, context in
      let (service, _) = try await mayLock(request, context)
      let body = try await Requests.json(CreateMessageRequest.self, request, upTo: settings.maximumJSONBytes)
      let (state, receipt) = try await service.lock(MessageWish(body))
      var reply = MessageReply(state)
      reply.receipt = receipt
      var response = Replies.json(reply, status: .created)
      response.headers[.location] = "/v1/messages/\(state.number)"
      return response
    }
    router.post("/v1/messages/recordings") { request, context in
      let (service, caller) = try await mayLock(request, context)
      let body = try await Requests.json(RecordingRequest.self, request, upTo: settings.maximumJSONBytes)
      let begun = try await service.record(length: body.steps, calibrates: body.calibrate == true, of: caller)
      return Replies.json(PerformanceReply(begun), status: .created)
    }
    router.get("/v1/messages/:id") { request, context in
      let (service, number, _) = try await found(request, context, .look)
      return Replies.json(MessageReply(try await service.state(of: number)))
    }
    router.delete("/v1/messages/:id") { request, context in
      let (service, number, _) = try await found(request, context, .look)
      try await service.delete(number, receipt: Requests.bearer(request))
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    router.post("/v1/messages/:id/unlock") { request, context in
      let (service, number, caller) = try await found(request, context, .look)
      let body = try await Requests.json(UnlockRequest.self, request, upTo: settings.maximumJSONBytes)
      let begun = try await service.unlock(number, calibrates: body.calibrate == true, of: caller)
      return Replies.json(PerformanceReply(begun), status: .created)
    }
  }

  private func addPictures(to router: Router<ServerContext>) {
    router.get("/v1/messages/:id/gif") { request, context in
      let (service, number, _) = try await found(request, context, .look)
      return Replies.bytes(try await service.gif(of: number), type: "image/gif")
    }
    router.post("/v1/messages/:id/gif") { request, context in
      let (service, number, _) = try await found(request, context, .picture)
      try Requests.expect(request, types: ["image/png"])
      try await service.expectReceipt(Requests.bearer(request), of: number)
      let sheet = try await Requests.body(request, upTo: settings.maximumFrameBytes)
      let gif = try await service.gif(of: number, receipt: Requests.bearer(request), sheet: sheet)
      return Replies.bytes(gif, type: "image/gif")
    }
    router.post("/v1/messages/number") { request, context in
      let space = context.keySpace ?? .live
      if let caller = counted(request, context, in: space) {
        try await messages[space].admit(.picture, of: caller)
      }
      try Requests.expect(request, types: ["image/gif", "image/png", "image/jpeg"])
      let bytes = try await Requests.body(request, upTo: settings.maximumMessagePictureBytes)
      let number = try await messages[space].number(in: bytes)
      return Replies.json(NumberReply(found: number.found.rawValue, id: number.text))
    }
  }

  private func addPerformances(to router: Router<ServerContext>) {
    router.post("/v1/performances/:id/frames") { request, context in
      let id = try Self.performance(context)
      try Requests.expect(request, types: ["image/jpeg", "image/png"])
      let service = try service(of: id, for: request)
      try await service.expectIdle(id)
      let bytes = try await settings.bodies.reading(id.text) {
        try await Requests.body(request, upTo: settings.maximumFrameBytes)
      }
      let step = try await service.look(
        at: bytes, of: id, token: Requests.bearer(request), client: Requests.client(request),
        capturedAt: Requests.capturedAt(request))
      return reply(to: step, of: service)
    }
    router.post("/v1/performances/:id/observations") { request, context in
      let id = try Self.performance(context)
      try Requests.expect(request, types: ["application/json", "application/x-ndjson"])
      let service = try service(of: id, for: request)
      try await service.expectIdle(id)
      let bytes = try await settings.bodies.reading(id.text) {
        try await Requests.body(request, upTo: settings.maximumObservationBytes)
      }
      let isDocument = Requests.mediaType(request) == "application/json"
      let step = try await service.claim(
        isDocument ? Claims.observation(bytes) : Claims.observations(bytes), of: id, token: Requests.bearer(request),
        client: Requests.client(request))
      return reply(to: step, of: service)
    }
  }

  /// Where nothing was tried because of a wait, the reply says when to try again, as refusals do.
  private func reply(to step: PerformanceStep, of service: MessageService<Observer>) -> Response {
    var response = Replies.json(PerformanceStepReply(step))
    if case .refused(.waiting(let until)) = step.state {
      response.headers[.retryAfter] = "\(service.seconds(until: until))"
    }
    return response
  }

  /// The service of a performance whose token a request shows. Called before its body is read, as for checks.
  private func service(of performance: SessionID, for request: Request) throws -> MessageService<Observer> {
    let service = messages[Space(ofPerformance: performance)]
    try service.expectToken(Requests.bearer(request), of: performance)
    return service
  }

  /// The service to lock with, of the world of the API key that is shown, or the live one for anybody on a demo server; and
  /// whom to count.
  private func mayLock(_ request: Request, _ context: ServerContext) async throws
    -> (MessageService<Observer>, caller: String?)
  {
    if let key = Requests.bearer(request) {
      _ = try await spaces.authorised(key: key)
      return (messages[Space(ofKey: key)], nil)
    }
    if !context.mayDemonstrate { try await spaces.live.service.authorise(key: nil) }
    let caller = context.caller(of: request)
    try await messages.live.admit(.lock, of: caller)
    return (messages.live, caller)
  }

  /// The number that a request is about, whose it is, and whom to count.
  private func found(_ request: Request, _ context: ServerContext, _ asking: MessageAsking) async throws
    -> (MessageService<Observer>, String, caller: String?)
  {
    guard let text = context.parameters.get("id"), text.utf8.count <= 64 else {
      throw ServiceError(.badValue, "This is no message number.")
    }
    let space = Space(ofMessage: text)
    let caller = counted(request, context, in: space)
    if let caller { try await messages[space].admit(asking, of: caller) }
    return (messages[space], text, caller)
  }

  /// Whom to count a request for; nil for who shows an API key of that world.
  private func counted(_ request: Request, _ context: ServerContext, in space: Space) -> String? {
    context.key != nil && context.keySpace == space ? nil : context.caller(of: request)
  }

  private static func performance(_ context: ServerContext) throws -> SessionID {
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
    needsFrames = request.requiresFrames != false
    needsPassive = request.requiresPassive == true
  }
}

extension MessageReply {
  init(_ state: MessageState) {
    self.init(
      id: state.number, state: state.standing.code, mode: state.mode.rawValue, avatar: state.avatar,
      steps: state.steps, viewsLeft: state.viewsLeft, requiresFrames: state.needsFrames,
      requiresPassive: state.needsPassive,
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
    case .refused, .suspect, .recorded, .calibrating, .performing: break
    }
  }
}
