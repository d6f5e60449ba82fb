internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienMessageService
internal import MienAPI

/// Routes of messages and performances, which map HTTP to the service.
struct MessageRoutes: Sendable {
  let realms: Realms
  let messages: Realms.Messages
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    addMessages(to: &routes)
    addImages(to: &routes)
    addPerformances(to: &routes)
  }

  private func addMessages(to routes: inout APIRoutes) {
    let body = settings.maximumJSONBytes
    routes.post("/v1/messages", RoutePolicy(.keyOrDemo, .messages, body: body, rate: .messages(.lock))) { call in
      let (state, receipt, link) = try await messages[call.realm].lock(
        CreateMessageOptions(call.json(CreateMessageRequest.self)))
      var response = MessageResponse(state)
      response.receipt = receipt
      response.linkKey = link
      var created = JSONResponse.json(response, status: .created)
      created.headers[.location] = "/v1/messages/\(state.number)"
      return created
    }
    routes.get("/v1/messages", RoutePolicy(.key, .messages)) { call in
      let page = try await messages[call.realm].messages(Self.query(call.request))
      return JSONResponse.json(
        MessageListResponse(messages: page.items.map { MessageResponse($0) }, next: page.next?.text))
    }
    let recording = RoutePolicy(.keyOrDemo, .messages, body: body, rate: .messages(.lock))
    routes.post("/v1/messages/recordings", recording) { call in
      let body = try await call.json(RecordingRequest.self)
      let begun = try await messages[call.realm].record(
        length: body.steps, of: call.isAuthenticated ? nil : call.address)
      return JSONResponse.json(PerformanceResponse(begun), status: .created)
    }
    routes.get("/v1/messages/:id", RoutePolicy(.anyone, .messages, rate: .messages(.look))) { call in
      let (service, id) = try message(call)
      return JSONResponse.json(MessageResponse(try await service.state(of: id)))
    }
    let deletion = RoutePolicy(
      .anyone, .messages, audit: .init(.deletedMessage, "message"), rate: .messages(.look))
    routes.delete("/v1/messages/:id", deletion) { call in
      let (service, id) = try message(call)
      try await service.delete(id, receipt: call.bearer)
      return JSONResponse.noContent
    }
    routes.post("/v1/messages/:id/unlock", RoutePolicy(.anyone, .messages, body: body, rate: .messages(.look))) {
      call in
      let (service, id) = try message(call)
      let body = try await call.json(UnlockRequest.self)
      // Requests with an API key of the message's realm are not attributed to an address.
      let isCounted = call.context.key == nil || call.realm != call.context.messageRealm
      let begun = try await service.unlock(
        id, link: body.linkKey, of: isCounted ? call.address : nil)
      return JSONResponse.json(PerformanceResponse(begun), status: .created)
    }
  }

  private func addImages(to routes: inout APIRoutes) {
    routes.get("/v1/messages/:id/gif", RoutePolicy(.anyone, .messages, rate: .messages(.look))) { call in
      let (service, id) = try message(call)
      let (style, seconds) = try Self.look(call.request)
      let gif = try await service.gif(of: id, style: style, labelSeconds: seconds)
      return JSONResponse.bytes(gif, type: "image/gif")
    }
    let drawing = RoutePolicy(.anyone, .messages, body: settings.maximumFrameBytes, rate: .messages(.image))
    routes.post("/v1/messages/:id/gif", drawing) { call in
      let (service, id) = try message(call)
      try call.expect("image/png")
      try await service.expectReceipt(call.bearer, of: id)
      let (style, seconds) = try Self.look(call.request)
      let gif = try await service.gif(
        of: id, receipt: call.bearer, sheet: call.body(), style: style, labelSeconds: seconds)
      return JSONResponse.bytes(gif, type: "image/gif")
    }
    let reading = RoutePolicy(.anyone, .messages, body: settings.maximumMessageImageBytes, rate: .messages(.image))
    routes.post("/v1/messages/read-id", reading) { call in
      try call.expectPhoto(or: "image/gif")
      let number = try await messages[call.realm].number(in: call.body())
      return JSONResponse.json(MessageIDResponse(found: number.found.rawValue, id: number.text))
    }
  }

  /// Returns the options of a GIF: its style, and the time for which it shows the message ID, in seconds.
  private static func look(_ request: Request) throws -> (style: String?, seconds: Double?) {
    let asked = request.uri.queryParameters
    let seconds = try ListParameters.text(asked["id_seconds"]).map { text in
      guard let seconds = Double(text) else { throw ServiceError(.badValue, "\"id_seconds\" must be a number.") }
      return seconds
    }
    return (ListParameters.text(asked["style"]), seconds)
  }

  private func addPerformances(to routes: inout APIRoutes) {
    routes.post("/v1/performances/:id/frames", RoutePolicy(.token, .messages, body: settings.maximumFrameBytes)) {
      call in
      let (service, id) = try performance(call)
      var response = Self.response(to: try await call.frame(of: id, with: service, settings.bodies), of: service)
      await call.addFrameWindow(to: &response, of: id, with: service)
      return response
    }
    let observations = RoutePolicy(.token, .messages, body: settings.maximumObservationBytes)
    routes.post("/v1/performances/:id/observations", observations) { call in
      let (service, id) = try performance(call)
      return Self.response(to: try await call.observations(of: id, with: service, settings.bodies), of: service)
    }
  }

  /// Builds the response to a step. If nothing was tried because of a wait, it has `Retry-After`, as rejections do.
  private static func response(to step: PerformanceStep, of service: MessageService) -> Response {
    var response = JSONResponse.json(PerformanceStepResponse(step))
    if case .refused(.waiting(let until)) = step.state {
      response.headers[.retryAfter] = "\(service.seconds(until: until))"
    }
    return response
  }

  /// Returns the service and ID of the message in the path.
  private func message(_ call: RouteCall) throws -> (MessageService, id: String) {
    let id = call.parameter()
    guard !id.isEmpty, id.utf8.count <= 64 else { throw ServiceError(.badValue, "This is not a message number.") }
    return (messages[call.context.messageRealm], id)
  }

  /// Returns the service and ID of the performance in the path.
  private func performance(_ call: RouteCall) throws -> (MessageService, id: CheckID) {
    guard let id = CheckID(call.parameter()) else {
      throw ServiceError(.notFound, "There is no such performance on this server.")
    }
    return (messages[Realm(ofPerformance: id)], id)
  }
}

extension CreateMessageOptions {
  init(_ request: CreateMessageRequest) throws {
    switch (request.steps, request.recording) {
    case (let names?, nil): self.init(text: request.text, steps: .names(names))
    case (nil, let recording?):
      guard let id = CheckID(recording.id) else {
        throw ServiceError(.badValue, "\"recording.id\" is not a recording's ID.")
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
    needsLink = request.requiresLink == true
  }
}

extension MessageResponse {
  init(_ state: MessageState) {
    self.init(
      id: state.number, state: state.standing.code, mode: state.mode.rawValue, avatar: state.avatar,
      steps: state.steps, viewsLeft: state.viewsLeft, requiresFrames: state.needsFrames,
      requiresPassive: state.needsPassive, requiresLink: state.needsLink,
      createdAt: JSONResponse.rfc3339(milliseconds: state.created.milliseconds),
      expiresAt: JSONResponse.rfc3339(milliseconds: state.expires.milliseconds))
    expressions = state.expressions
    if case .ready(let left) = state.standing { attemptsLeft = left }
    if case .waiting(let until) = state.standing { waitsUntil = JSONResponse.rfc3339(milliseconds: until.milliseconds) }
    if !state.standing.isOver { gif = "/v1/messages/\(state.number)/gif" }
  }
}

extension PerformanceResponse {
  init(_ begun: MessageService.Begun) {
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
    case .refused, .suspect, .recorded, .performing: break
    }
  }
}
