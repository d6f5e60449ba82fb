internal import Hummingbird
internal import MienCore
internal import MienService
internal import MienAPI

/// Routes of messages and performances, which map HTTP to the service.
struct MessageRoutes<Observer: FaceTracking>: Sendable {
  let spaces: Realms<Observer>
  let messages: Realms<Observer>.Messages
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    addMessages(to: router)
    addImages(to: router)
    addPerformances(to: router)
  }

  private func addMessages(to router: Router<ServerContext>) {
    router.post("/v1/messages") { request, context in
      let (service, _) = try await mayLock(request, context)
      let body = try await RequestParsing.json(CreateMessageRequest.self, request, upTo: settings.maximumJSONBytes)
      let (state, receipt) = try await service.lock(CreateMessageOptions(body))
      var reply = MessageResponse(state)
      reply.receipt = receipt
      var response = JSONResponse.json(reply, status: .created)
      response.headers[.location] = "/v1/messages/\(state.number)"
      return response
    }
    router.post("/v1/messages/recordings") { request, context in
      let (service, caller) = try await mayLock(request, context)
      let body = try await RequestParsing.json(RecordingRequest.self, request, upTo: settings.maximumJSONBytes)
      let begun = try await service.record(length: body.steps, calibrates: body.calibrate == true, of: caller)
      return JSONResponse.json(PerformanceResponse(begun), status: .created)
    }
    router.get("/v1/messages/:id") { request, context in
      let (service, number, _) = try await found(request, context, .look)
      return JSONResponse.json(MessageResponse(try await service.state(of: number)))
    }
    router.delete("/v1/messages/:id") { request, context in
      let (service, number, _) = try await found(request, context, .look)
      try await service.delete(number, receipt: RequestParsing.bearer(request))
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    router.post("/v1/messages/:id/unlock") { request, context in
      let (service, number, caller) = try await found(request, context, .look)
      let body = try await RequestParsing.json(UnlockRequest.self, request, upTo: settings.maximumJSONBytes)
      let begun = try await service.unlock(number, calibrates: body.calibrate == true, of: caller)
      return JSONResponse.json(PerformanceResponse(begun), status: .created)
    }
  }

  private func addImages(to router: Router<ServerContext>) {
    router.get("/v1/messages/:id/gif") { request, context in
      let (service, number, _) = try await found(request, context, .look)
      return JSONResponse.bytes(try await service.gif(of: number), type: "image/gif")
    }
    router.post("/v1/messages/:id/gif") { request, context in
      let (service, number, _) = try await found(request, context, .image)
      try RequestParsing.expect(request, types: ["image/png"])
      try await service.expectReceipt(RequestParsing.bearer(request), of: number)
      let sheet = try await RequestParsing.body(request, upTo: settings.maximumFrameBytes)
      let gif = try await service.gif(of: number, receipt: RequestParsing.bearer(request), sheet: sheet)
      return JSONResponse.bytes(gif, type: "image/gif")
    }
    router.post("/v1/messages/number") { request, context in
      let space = context.keySpace ?? .live
      if let caller = counted(request, context, in: space) {
        try await messages[space].admit(.image, of: caller)
      }
      try RequestParsing.expect(request, types: ["image/gif", "image/png", "image/jpeg"])
      let bytes = try await RequestParsing.body(request, upTo: settings.maximumMessageImageBytes)
      let number = try await messages[space].number(in: bytes)
      return JSONResponse.json(MessageIDResponse(found: number.found.rawValue, id: number.text))
    }
  }

  private func addPerformances(to router: Router<ServerContext>) {
    router.post("/v1/performances/:id/frames") { request, context in
      let id = try Self.performance(context)
      try RequestParsing.expect(request, types: ["image/jpeg", "image/png"])
      let service = try service(of: id, for: request)
      try await service.expectIdle(id)
      let bytes = try await settings.bodies.reading(id.text) {
        try await RequestParsing.body(request, upTo: settings.maximumFrameBytes)
      }
      let step = try await service.processFrame(
        at: bytes, of: id, token: RequestParsing.bearer(request), client: RequestParsing.client(request),
        capturedAt: RequestParsing.capturedAt(request))
      return reply(to: step, of: service)
    }
    router.post("/v1/performances/:id/observations") { request, context in
      let id = try Self.performance(context)
      try RequestParsing.expect(request, types: ["application/json", "application/x-ndjson"])
      let service = try service(of: id, for: request)
      try await service.expectIdle(id)
      let bytes = try await settings.bodies.reading(id.text) {
        try await RequestParsing.body(request, upTo: settings.maximumObservationBytes)
      }
      let isDocument = RequestParsing.mediaType(request) == "application/json"
      let step = try await service.claim(
        isDocument ? ObservationParsing.observation(bytes) : ObservationParsing.observations(bytes), of: id,
        token: RequestParsing.bearer(request),
        client: RequestParsing.client(request))
      return reply(to: step, of: service)
    }
  }

  /// Builds the response to a step. If nothing was tried because of a wait, it has `Retry-After`, as rejections do.
  private func reply(to step: PerformanceStep, of service: MessageService<Observer>) -> Response {
    var response = JSONResponse.json(PerformanceStepResponse(step))
    if case .refused(.waiting(let until)) = step.state {
      response.headers[.retryAfter] = "\(service.seconds(until: until))"
    }
    return response
  }

  /// The service of a performance whose token a request shows. Called before its body is read, as for checks.
  private func service(of performance: CheckID, for request: Request) throws -> MessageService<Observer> {
    let service = messages[Realm(ofPerformance: performance)]
    try service.expectToken(RequestParsing.bearer(request), of: performance)
    return service
  }

  /// Returns the service for locking a message, of the API key's realm or of the live realm on a demo server, and the
  /// client address to which the request is attributed.
  private func mayLock(_ request: Request, _ context: ServerContext) async throws
    -> (MessageService<Observer>, caller: String?)
  {
    if let key = RequestParsing.bearer(request) {
      _ = try await spaces.authorized(key: key)
      return (messages[Realm(ofKey: key)], nil)
    }
    if !context.isDemoAllowed { try await spaces.live.service.authorize(key: nil) }
    let caller = context.caller(of: request)
    try await messages.live.admit(.lock, of: caller)
    return (messages.live, caller)
  }

  /// Returns the service and ID of the message in the path, and the client address to which the request is attributed.
  private func found(_ request: Request, _ context: ServerContext, _ asking: MessageRateClass) async throws
    -> (MessageService<Observer>, String, caller: String?)
  {
    guard let text = context.parameters.get("id"), text.utf8.count <= 64 else {
      throw ServiceError(.badValue, "This is no message number.")
    }
    let space = Realm(ofMessage: text)
    let caller = counted(request, context, in: space)
    if let caller { try await messages[space].admit(asking, of: caller) }
    return (messages[space], text, caller)
  }

  /// Returns the client address to which a request is attributed, or `nil` for a request with an API key of the realm.
  private func counted(_ request: Request, _ context: ServerContext, in space: Realm) -> String? {
    context.key != nil && context.keySpace == space ? nil : context.caller(of: request)
  }

  private static func performance(_ context: ServerContext) throws -> CheckID {
    guard let id = context.parameters.get("id").flatMap({ CheckID($0) }) else {
      throw ServiceError(.notFound, "There is no such performance on this server.")
    }
    return id
  }
}

extension CreateMessageOptions {
  init(_ request: CreateMessageRequest) throws {
    switch (request.steps, request.recording) {
    case (let names?, nil): self.init(text: request.text, steps: .names(names))
    case (nil, let recording?):
      guard let id = CheckID(recording.id) else {
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

extension MessageResponse {
  init(_ state: MessageState) {
    self.init(
      id: state.number, state: state.standing.code, mode: state.mode.rawValue, avatar: state.avatar,
      steps: state.steps, viewsLeft: state.viewsLeft, requiresFrames: state.needsFrames,
      requiresPassive: state.needsPassive,
      createdAt: JSONResponse.rfc3339(milliseconds: state.created.milliseconds),
      expiresAt: JSONResponse.rfc3339(milliseconds: state.expires.milliseconds))
    if case .ready(let left) = state.standing { attemptsLeft = left }
    if case .waiting(let until) = state.standing { waitsUntil = JSONResponse.rfc3339(milliseconds: until.milliseconds) }
    if !state.standing.isOver { gif = "/v1/messages/\(state.number)/gif" }
  }
}

extension PerformanceResponse {
  init(_ begun: MessageService<some FaceTracking>.Begun) {
    self.init(
      id: begun.id.text, token: begun.token, steps: begun.steps,
      expiresAt: JSONResponse.rfc3339(milliseconds: begun.expires.milliseconds))
  }
}

extension PerformanceStepResponse {
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
    case .refused(.waiting(let until)): waitsUntil = JSONResponse.rfc3339(milliseconds: until.milliseconds)
    case .refused, .suspect, .recorded, .calibrating, .performing: break
    }
  }
}
