internal import Hummingbird
internal import MienAPI
internal import MienAccess
internal import MienChecks
internal import MienCore
internal import MienPlatform
internal import MienRecordings

/// Routes of liveness checks, which map HTTP to the service.
struct CheckRoutes: Sendable {
  let realms: Realms
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    addChecks(to: &routes)
    addFrames(to: &routes)
    addPeople(to: &routes)
    addTemplates(to: &routes)
  }

  private func addChecks(to routes: inout APIRoutes) {
    routes.post("/v1/checks", RoutePolicy(.key, .checks, body: settings.maximumCheckBytes)) { call in
      let (check, token) = try await realms[call.realm].checks.create(
        call.json(CreateCheckRequest.self), returnOrigins: settings.returnOrigins)
      return created(check, token: token)
    }
    routes.get("/v1/checks", RoutePolicy(.key, .checks)) { call in
      let page = try await realms[call.realm].checks.checks(Self.query(call.request))
      return JSONResponse.json(
        CheckListResponse(checks: page.items.map { CheckSummaryResponse($0) }, next: page.next?.text))
    }
    routes.post("/v1/demo/checks", RoutePolicy(.demo, body: settings.maximumCheckBytes)) { call in
      let body = try await call.json(DemoCheckRequest.self)
      let (check, token) = try await realms.live.checks.create(
        side: nil, person: nil, expectsDepth: false, reference: "demo",
        abilities: body.abilities.map(AccessibilityOptions.init),
        referenceImage: body.referenceImage.map { try ImageParsing.base64($0, "reference_image") })
      return created(check, token: token)
    }
    routes.get("/v1/checks/:id", RoutePolicy(.key, .checks)) { call in
      try await result(of: RequestParsing.session(call.context), in: realms[call.realm])
    }
    routes.get("/v1/checks/:id/images/:index", RoutePolicy(.key, .checks, audit: .init(.viewedImages, "check"))) {
      call in
      let images = try await realms[call.realm].checks.images(of: RequestParsing.session(call.context))
      guard let index = Int(call.parameter("index")), images.indices.contains(index) else {
        throw ServiceError(
          .notFound,
          "There is no such image: it was not requested, or it was deleted at the end of its retention period.")
      }
      let bytes = images[index].bytes
      return JSONResponse.bytes(bytes, type: bytes.first == 0x89 ? "image/png" : "image/jpeg")
    }
    routes.get("/v1/checks/:id/clip", RoutePolicy(.key, .checks, audit: .init(.viewedClip, "check"))) { call in
      switch try await realms[call.realm].checks.clip(of: RequestParsing.session(call.context)) {
      case .ready(let bytes): return JSONResponse.bytes(bytes, type: "video/mp4")
      case .pending: return JSONResponse.json(["clip": "pending"], status: .accepted)
      case .failed, nil:
        throw ServiceError(
          .notFound,
          "This check has no clip: none was requested, encoding failed, or it was deleted at the end of its retention period."
        )
      }
    }
    routes.delete("/v1/checks/:id", RoutePolicy(.key, .checks, audit: .init(.deletedCheck, "check"))) { call in
      let realm = realms[call.realm]
      let id = try RequestParsing.session(call.context)
      let deleted = try await realms.erasure(in: realm).delete(id)
      realm.responses.remove(id)
      return Self.erasureReply(deleted, to: call.request)
    }
    routes.get("/v1/checks/:id/token", RoutePolicy(.key, .checks, revealsCredential: true)) { call in
      let (check, token) = try await realms[call.realm].checks.token(of: RequestParsing.session(call.context))
      return JSONResponse.json(CreateCheckResponse(check, token: token, publicURL: settings.publicURL))
    }
    routes.post("/v1/checks/:id/token", RoutePolicy(.token, .checks, revealsCredential: true)) { call in
      let id = try RequestParsing.session(call.context)
      let (check, token) = try await realms.checks(of: id).token(of: id, secret: call.bearer)
      return JSONResponse.json(CreateCheckResponse(check, token: token, publicURL: settings.publicURL))
    }
  }

  private func addFrames(to routes: inout APIRoutes) {
    routes.post("/v1/checks/:id/frames", RoutePolicy(.token, .checks, body: settings.maximumFrameBytes)) { call in
      let id = try RequestParsing.session(call.context)
      let service = realms.checks(of: id)
      var response = JSONResponse.json(StepResponse(try await call.frame(of: id, with: service, settings.bodies)))
      await call.addFrameWindow(to: &response, of: id, with: service)
      return response
    }
    routes.post("/v1/checks/:id/tasks", RoutePolicy(.token, .checks, body: settings.maximumJSONBytes)) { call in
      let id = try RequestParsing.session(call.context)
      let service = realms.checks(of: id)
      try service.expectToken(call.bearer, of: id)
      let body = try await call.json(ChooseTasksRequest.self)
      try await service.choose(body.tasks.map(TaskOptions.init), of: id, token: call.bearer)
      return JSONResponse.noContent
    }
    routes.post("/v1/checks/:id/decline", RoutePolicy(.token, .checks)) { call in
      let id = try RequestParsing.session(call.context)
      let step = try await realms.checks(of: id).decline(
        of: id, token: call.bearer, client: RequestParsing.client(call.request))
      return JSONResponse.json(StepResponse(step))
    }
    routes.get("/v1/checks/:id/page", RoutePolicy(.token, .checks)) { call in
      let id = try RequestParsing.session(call.context)
      let progress = try await realms.checks(of: id).progress(of: id, token: call.bearer)
      return JSONResponse.json(
        CheckPageResponse(
          state: progress.outcome?.rawValue ?? (progress.isBegun ? "running" : "waiting"), reason: progress.reason,
          progress: progress.completed,
          task: progress.task.map { CheckPageResponse.Task(index: $0.index, count: $0.count) },
          returnURL: progress.returnURL, publicURL: settings.publicURL))
    }
    routes.get("/v1/checks/:id/match", RoutePolicy(.token, .checks)) { call in
      let id = try RequestParsing.session(call.context)
      return JSONResponse.json(
        MatchStateResponse(try await realms.checks(of: id).matchState(of: id, token: call.bearer)))
    }
    routes.post("/v1/checks/:id/match/decline", RoutePolicy(.token, .checks)) { call in
      let id = try RequestParsing.session(call.context)
      try await realms.checks(of: id).declineMatch(of: id, token: call.bearer)
      return JSONResponse.noContent
    }
    let observations = RoutePolicy(.token, .checks, body: settings.maximumObservationBytes)
    routes.post("/v1/checks/:id/observations", observations) { call in
      let id = try RequestParsing.session(call.context)
      return JSONResponse.json(
        StepResponse(try await call.observations(of: id, with: realms.checks(of: id), settings.bodies)))
    }
    routes.post("/v1/checks/:id/depth", RoutePolicy(.token, .checks, body: maximumCaptureBytes)) { call in
      let id = try RequestParsing.session(call.context)
      try call.expect("application/vnd.mien.depth-frame")
      let service = realms.checks(of: id)
      let frames = try ObservationParsing.depthFrames(
        try await call.sessionBody(of: id, with: service, settings.bodies, beside: true))
      guard frames.count == 1, let frame = frames.first else {
        throw ServiceError(.badValue, "Send one depth capture at a time; this body has \(frames.count).")
      }
      let step = try await service.depth(
        frame, of: id, token: call.bearer, client: RequestParsing.client(call.request))
      return JSONResponse.json(StepResponse(step))
    }
  }

  private func addPeople(to routes: inout APIRoutes) {
    routes.delete("/v1/people/:person", RoutePolicy(.key, .checks, audit: .init(.deletedPerson, "person"))) { call in
      let realm = realms[call.realm]
      let deleted = try await realms.erasure(in: realm).delete(Self.person(call))
      realm.responses.clear()
      return Self.erasureReply(deleted, to: call.request)
    }
    routes.post("/v1/people/:person/enrollment", RoutePolicy(.key, .checks, body: settings.maximumDepthBytes)) { call in
      let person = try Self.person(call)
      try call.expect("application/vnd.mien.depth-frame")
      let captures = try ObservationParsing.depthFrames(try await call.body())
      let enrolled = try await realms[call.realm].checks.enroll(person, captures: captures)
      return JSONResponse.json(
        EnrollmentResponse(person: person.text, version: enrolled.version, captures: enrolled.captures),
        status: .created)
    }
  }

  private func addTemplates(to routes: inout APIRoutes) {
    let path = "/v1/people/:person/template"
    let enrollment = RoutePolicy.AuditRule(.enrolledTemplate, "person")
    routes.post(path, RoutePolicy(.key, .checks, body: 1024, audit: enrollment)) { call in
      let person = try Self.person(call)
      guard let check = CheckID(try await call.json(EnrollTemplateRequest.self).check) else {
        throw ServiceError(.badValue, "\"check\" must be the ID of a check.")
      }
      return Self.enrolled(person, try await realms[call.realm].checks.enroll(person, from: check))
    }
    routes.put(path, RoutePolicy(.key, .admin, body: settings.maximumFrameBytes, audit: enrollment)) { call in
      let person = try Self.person(call)
      try call.expectPhoto()
      return Self.enrolled(person, try await realms[call.realm].checks.enroll(person, image: call.body()))
    }
    routes.get(path, RoutePolicy(.key, .checks)) { call in
      let person = try Self.person(call)
      return JSONResponse.json(TemplateResponse(person, try await realms[call.realm].checks.template(of: person)))
    }
    routes.delete(path, RoutePolicy(.key, .checks, audit: .init(.deletedTemplate, "person"))) { call in
      let deleted = try await realms[call.realm].checks.deleteTemplates(of: Self.person(call))
      return Self.erasureReply(deleted, to: call.request)
    }
  }

  private static func enrolled(_ person: PersonID, _ template: EnrolledTemplate) -> Response {
    JSONResponse.json(TemplateResponse(person, template), status: .created)
  }

  private static func person(_ call: RouteCall) throws -> PersonID {
    guard let person = PersonID(call.parameter("person")) else {
      throw ServiceError(.badValue, "A person's id is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    return person
  }

  /// Returns the response with a check and, if it is decided, its result.
  private func result(of id: CheckID, in realm: Realms.RealmContext) async throws -> Response {
    let cached = realm.responses.entry(of: id)
    let known = cached?.response == nil ? nil : cached?.version
    let (record, result, version): (CheckRecord, CheckResult?, Int)
    switch (try await realm.checks.read(id, unless: known), cached?.response) {
    case (.unchanged, let response?): return JSONResponse.bytes(response)
    case (.unchanged, nil): preconditionFailure("without a known version, nothing is unchanged")
    case (.read(let found, let verdict, let current), _): (record, result, version) = (found, verdict, current)
    }
    guard let result else { return JSONResponse.json(Self.response(record, nil, signed: nil)) }
    let signed =
      cached?.version == version
      ? cached?.signed : realm.signer.map { SignedResultEncoder.signed(record, result, with: $0) }
    var response = Self.response(record, result, signed: signed)
    let isWhole = record.auditImages == nil && !record.keepsClip
    let encoded = isWhole ? JSONResponse.encoded(response) : nil
    realm.responses.keep(.init(check: id, version: version, signed: signed, response: encoded))
    if let encoded { return JSONResponse.bytes(encoded) }
    if record.auditImages != nil {
      response.images = try await realm.checks.images(of: record.id).enumerated().map { index, image in
        ImageResponse(
          kind: image.kind.rawValue, url: "/v1/checks/\(record.id.text)/images/\(index)",
          box: [image.box.x, image.box.y, image.box.width, image.box.height])
      }
    }
    if record.keepsClip { response.clip = try await realm.checks.clip(of: record.id)?.state }
    return JSONResponse.json(response)
  }

  /// Maximum body size of one depth capture: a check accepts one at a time.
  private var maximumCaptureBytes: Int {
    min(settings.maximumDepthBytes, DepthFrameCodec.headerBytes + 2 * DepthFrameCodec.Limits().maximumSamples)
  }

  private func created(_ check: CheckRecord, token: String) -> Response {
    var response = JSONResponse.json(
      CreateCheckResponse(check, token: token, publicURL: settings.publicURL), status: .created)
    response.headers[.location] = check.address
    return response
  }

  private static func response(_ record: CheckRecord, _ result: CheckResult?, signed: String?) -> ResultResponse {
    ResultResponse(
      id: record.id.text, state: result?.outcome.rawValue ?? "open", challenge: record.challenge(decidedBy: result),
      assurance: record.assurance?.rawValue, bitsOfChoice: record.roundedBits, tasks: record.tasks?.kinds,
      person: record.person?.text, reference: record.reference,
      createdAt: JSONResponse.rfc3339(milliseconds: record.created.milliseconds),
      expiresAt: JSONResponse.rfc3339(milliseconds: record.expires.milliseconds),
      decidedAt: result.map { JSONResponse.rfc3339(milliseconds: $0.decided.milliseconds) }, reason: result?.reason,
      feedback: result.flatMap { $0.feedback.isEmpty ? nil : $0.feedback.map(FeedbackResponse.init) },
      source: result?.source.rawValue, basis: result?.basis.rawValue, sources: record.sources.names,
      frames: result?.frames,
      findings: (result?.findings ?? []).filter { !$0.isMatch }.map(FindingResponse.init),
      signals: result.map { SignalsResponse($0.signals) },
      evidence: result.map { EvidenceResponse(outboundPath: $0.outboundPath, returnPath: $0.returnPath) },
      signed: signed,
      previousAttempts: result.flatMap { result in
        result.previousAttempts.isEmpty
          ? nil
          : result.previousAttempts.map {
            AttemptResponse(
              outcome: $0.outcome, reason: $0.reason, endedAt: JSONResponse.rfc3339(milliseconds: $0.ended))
          }
      },
      match: MatchResponse(record, result))
  }
}

extension TemplateResponse {
  init(_ person: PersonID, _ template: EnrolledTemplate) {
    self.init(
      person: person.text, model: template.model,
      createdAt: JSONResponse.rfc3339(milliseconds: template.created.milliseconds), check: template.check?.text)
  }
}

/// Route that reports the face in one image, for pages and apps that help users aim the camera.
struct FaceRoutes: Sendable {
  let realms: Realms
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    routes.post("/v1/faces", RoutePolicy(.keyOrDemo, .checks, body: settings.maximumFrameBytes)) { call in
      try call.expect("image/jpeg", "image/png")
      let preview = try await realms[call.realm].checks.preview(at: call.body())
      return JSONResponse.json(
        FacePreviewResponse(faceCount: preview.faceCount, box: preview.box, pose: preview.pose, hints: preview.hints))
    }
  }
}
