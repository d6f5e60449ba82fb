internal import Hummingbird
internal import MienCore
internal import MienRecordings
internal import MienService
internal import MienAPI

/// Routes of liveness checks, which map HTTP to the service.
struct CheckRoutes<Observer: FaceTracking>: Sendable {
  let spaces: Realms<Observer>
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    router.post("/v1/checks") { request, context in
      try await create(request, in: spaces.authorized(request, context).service)
    }
    router.get("/v1/checks/:id") { request, context in
      let realm = try await spaces.authorized(request, context)
      let id = try RequestParsing.session(context)
      let found: (record: CheckRecord, result: CheckResult?)
      do {
        found = try await realm.service.read(id)
      } catch let error as ServiceError where error.code == .notFound {
        realm.responses.remove(id)
        throw error
      }
      let (record, result) = found
      guard let result else { return JSONResponse.json(reply(record, nil, signed: nil)) }
      let kept = realm.responses.entry(for: record, result)
      if let whole = kept?.reply { return JSONResponse.bytes(whole) }
      let signed = kept?.signed ?? realm.signer.map { SignedResultEncoder.signed(record, result, with: $0) }
      var reply = reply(record, result, signed: signed)
      guard record.auditImages != nil || record.keepsClip else {
        let whole = JSONResponse.encoded(reply)
        realm.responses.keep(.init(record: record, result: result, signed: signed, reply: whole))
        return JSONResponse.bytes(whole)
      }
      realm.responses.keep(.init(record: record, result: result, signed: signed, reply: nil))
      if record.auditImages != nil {
        reply.images = try await realm.service.images(of: record.id).enumerated().map { index, image in
          ImageResponse(
            kind: image.kind.rawValue, url: "/v1/checks/\(record.id.text)/images/\(index)",
            box: [image.box.x, image.box.y, image.box.width, image.box.height])
        }
      }
      if record.keepsClip { reply.clip = try await realm.service.clip(of: record.id)?.state }
      return JSONResponse.json(reply)
    }
    router.post("/v1/demo/checks") { request, context in
      let service = spaces.live.service
      guard context.isDemoAllowed else {
        throw ServiceError(
          .demoOff,
          "Checks without an API key are off here, or for this machine's own pages alone. Start the server with --demo, or use "
            + "a key.")
      }
      let body = try await RequestParsing.json(DemoCheckRequest.self, request, upTo: 1024)
      let (check, token) = try await service.create(
        side: nil, person: nil, expectsDepth: false, reference: "demo",
        abilities: body.abilities.map(AccessibilityOptions.init))
      return created(check, token: token)
    }
    router.get("/v1/checks/:id/images/:index") { request, context in
      let service = try await spaces.authorized(request).service
      let images = try await service.images(of: RequestParsing.session(context))
      guard let index = context.parameters.get("index").flatMap({ Int($0) }), images.indices.contains(index) else {
        throw ServiceError(.notFound, "There is no such image. It was not asked for, or its time is over.")
      }
      let bytes = images[index].bytes
      return JSONResponse.bytes(bytes, type: bytes.first == 0x89 ? "image/png" : "image/jpeg")
    }
    router.get("/v1/checks/:id/clip") { request, context in
      let service = try await spaces.authorized(request).service
      switch try await service.clip(of: RequestParsing.session(context)) {
      case .ready(let bytes): return JSONResponse.bytes(bytes, type: "video/mp4")
      case .pending: return JSONResponse.json(["clip": "pending"], status: .accepted)
      case .failed, nil:
        throw ServiceError(
          .notFound, "There is no film of this check: none was asked for, it failed or its time is over.")
      }
    }
    router.delete("/v1/checks/:id") { request, context in
      let realm = try await spaces.authorized(request)
      let id = try RequestParsing.session(context)
      let deleted = try await spaces.erasure(in: realm).delete(id)
      realm.responses.remove(id)
      return Self.erasureReply(deleted, to: request)
    }
    router.get("/v1/checks/:id/token") { request, context in
      let service = try await spaces.authorized(request).service
      let (check, token) = try await service.token(of: RequestParsing.session(context))
      return JSONResponse.json(CreateCheckResponse(check, token: token))
    }
    router.post("/v1/checks/:id/frames") { request, context in
      let id = try RequestParsing.session(context)
      try RequestParsing.expect(request, types: ["image/jpeg", "image/png"])
      let service = try service(of: id, for: request)
      try await service.expectIdle(id)
      let bytes = try await settings.bodies.reading(id.text) {
        try await RequestParsing.body(request, upTo: settings.maximumFrameBytes)
      }
      let step = try await service.processFrame(
        at: bytes, of: id, token: RequestParsing.bearer(request), client: RequestParsing.client(request),
        capturedAt: RequestParsing.capturedAt(request))
      return JSONResponse.json(StepResponse(step))
    }
    router.post("/v1/checks/:id/observations") { request, context in
      let id = try RequestParsing.session(context)
      try RequestParsing.expect(request, types: ["application/json", "application/x-ndjson"])
      let service = try service(of: id, for: request)
      try service.expectClaimsAllowed()
      try await service.expectIdle(id)
      let bytes = try await settings.bodies.reading(id.text) {
        try await RequestParsing.body(request, upTo: settings.maximumObservationBytes)
      }
      let isDocument = RequestParsing.mediaType(request) == "application/json"
      let step = try await service.claim(
        isDocument ? ObservationParsing.observation(bytes) : ObservationParsing.observations(bytes), of: id,
        token: RequestParsing.bearer(request),
        client: RequestParsing.client(request))
      return JSONResponse.json(StepResponse(step))
    }
    router.post("/v1/checks/:id/depth") { request, context in
      let id = try RequestParsing.session(context)
      try RequestParsing.expect(request, types: ["application/vnd.mien.depth-frame"])
      let service = try service(of: id, for: request)
      try await service.expectIdle(id)
      let bytes = try await settings.bodies.reading(id.text) {
        try await RequestParsing.body(request, upTo: maximumCaptureBytes)
      }
      let frames = try ObservationParsing.depthFrames(bytes)
      guard frames.count == 1, let frame = frames.first else {
        throw ServiceError(.badValue, "Send one depth capture at a time; this body has \(frames.count).")
      }
      let step = try await service.depth(
        frame, of: id, token: RequestParsing.bearer(request), client: RequestParsing.client(request))
      return JSONResponse.json(StepResponse(step))
    }
    router.delete("/v1/people/:person") { request, context in
      let realm = try await spaces.authorized(request)
      guard let person = context.parameters.get("person").flatMap({ PersonID($0) }) else {
        throw ServiceError(.badValue, "A person's id is 1 to 64 characters of A–Z a–z 0–9 - _.")
      }
      let deleted = try await spaces.erasure(in: realm).delete(person)
      realm.responses.clear()
      return Self.erasureReply(deleted, to: request)
    }
    router.post("/v1/people/:person/enrolment") { request, context in
      let service = try await spaces.authorized(request).service
      guard let person = context.parameters.get("person").flatMap({ PersonID($0) }) else {
        throw ServiceError(.badValue, "A person's id is 1 to 64 characters of A–Z a–z 0–9 - _.")
      }
      try RequestParsing.expect(request, types: ["application/vnd.mien.depth-frame"])
      let captures = try ObservationParsing.depthFrames(
        try await RequestParsing.body(request, upTo: settings.maximumDepthBytes))
      let enrolled = try await service.enrol(person, captures: captures)
      return JSONResponse.json(
        EnrollmentResponse(person: person.text, version: enrolled.version, captures: enrolled.captures),
        status: .created)
    }
  }

  /// Maximum body size of one depth capture: a check accepts one at a time.
  private var maximumCaptureBytes: Int {
    min(settings.maximumDepthBytes, DepthFrameCodec.headerBytes + 2 * DepthFrameCodec.Limits().maximumSamples)
  }

  /// Returns the service of the check for which a request has a token. Call it before reading the body, so that clients
  /// without a token cannot fill the server's memory.
  private func service(of check: CheckID, for request: Request) throws -> LivenessCheckService<Observer> {
    let service = spaces.service(of: check)
    try service.expectToken(RequestParsing.bearer(request), of: check)
    return service
  }

  private func create(_ request: Request, in service: LivenessCheckService<Observer>) async throws -> Response {
    let body = try await RequestParsing.json(CreateCheckRequest.self, request, upTo: settings.maximumJSONBytes)
    let (check, token) = try await service.create(body)
    return created(check, token: token)
  }

  private func created(_ check: CheckRecord, token: String) -> Response {
    var response = JSONResponse.json(CreateCheckResponse(check, token: token), status: .created)
    response.headers[.location] = check.address
    return response
  }

  private func reply(_ record: CheckRecord, _ result: CheckResult?, signed: String?) -> ResultResponse {
    ResultResponse(
      id: record.id.text, state: result?.outcome.rawValue ?? "open", challenge: record.challenge(decidedBy: result),
      tasks: record.tasks?.kinds,
      person: record.person?.text, reference: record.reference,
      createdAt: JSONResponse.rfc3339(milliseconds: record.created.milliseconds),
      expiresAt: JSONResponse.rfc3339(milliseconds: record.expires.milliseconds),
      decidedAt: result.map { JSONResponse.rfc3339(milliseconds: $0.decided.milliseconds) }, reason: result?.reason,
      source: result?.source.rawValue, assurance: result?.assurance.rawValue, sources: record.sources.names,
      frames: result?.frames,
      findings: (result?.findings ?? []).map(FindingResponse.init),
      evidence: result.map { EvidenceResponse(wayOut: $0.wayOut, wayBack: $0.wayBack) },
      signed: signed,
      earlier: result.flatMap { result in
        result.earlier.isEmpty
          ? nil
          : result.earlier.map {
            AttemptResponse(
              outcome: $0.outcome, reason: $0.reason, endedAt: JSONResponse.rfc3339(milliseconds: $0.ended))
          }
      })
  }
}
