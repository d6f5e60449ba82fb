internal import Hummingbird
internal import MienAuthenticity
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienCaptures
internal import MienAPI
internal import NIOCore

/// Routes of captures and of file verification, which map HTTP to the service.
struct CaptureRoutes: Sendable {
  let realms: Realms
  let captures: Realms.Captures
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    addDevices(to: &routes)
    addCaptures(to: &routes)
    addParts(to: &routes)
    addVerification(to: &routes)
  }

  private func addCaptures(to routes: inout APIRoutes) {
    routes.post("/v1/captures", Self.sending) { call in
      let sender = try await principal(call)
      let service = sender.service
      let (capture, receipt) = try await take(call.request, from: sender)
      var response = CaptureResponse(capture, visualizations: [], queuedAhead: await service.load())
      response.receipt = receipt
      var created = JSONResponse.json(response, status: .created)
      created.headers[.location] = "/v1/captures/\(capture.id.text)"
      return created
    }
    routes.get("/v1/captures", RoutePolicy(.key, .captures)) { call in
      let page = try await captures[call.realm].captures(Self.query(call.request))
      return JSONResponse.json(
        CaptureListResponse(captures: page.items.map { CaptureSummaryResponse($0) }, next: page.next?.text))
    }
    routes.get("/v1/captures/:id", Self.reading()) { call in
      let (service, id) = service(call)
      let capture = try await service.capture(id)
      return JSONResponse.json(
        CaptureResponse(
          capture, visualizations: try await service.visualizations(of: capture.id), queuedAhead: await service.load(),
          progress: await service.progress(of: capture.id)))
    }
    let deletion = RoutePolicy(.keyOrToken, .captures, audit: .init(.deletedCapture, "capture"))
    routes.delete("/v1/captures/:id", deletion) { call in
      let (service, id) = service(call)
      if call.bearer?.hasPrefix("rcp_") == true {
        try await service.delete(id, receipt: call.bearer)
      } else {
        if !call.isAuthenticated { try await realms.live.access.authorize(call.bearer) }
        // A key has no access to the other realm.
        let own = captures[call.realm]
        try await own.delete(own.capture(id).id)
      }
      return JSONResponse.noContent
    }
  }

  private func addParts(to routes: inout APIRoutes) {
    let viewing = Self.reading(audit: .init(.viewedCapture, "capture"))
    routes.get("/v1/captures/:id/parts/:part", viewing) { call in
      let (service, id) = service(call)
      return try await part(call.parameter("part"), of: service.capture(id), service)
    }
    routes.get("/v1/captures/:id/parts/burst/:number", viewing) { call in
      let (service, id) = service(call)
      let capture = try await service.capture(id)
      guard let motion = capture.motion, let blob = motion.blob,
        let place = Int(call.parameter("number")).flatMap({ motion.place(of: $0) })
      else { throw Self.noSuchPart }
      return try await stream(service, blob, place, type: "image/jpeg")
    }
    routes.get("/v1/captures/:id/reception", viewing) { call in
      let (service, id) = service(call)
      let capture = try await service.capture(id)
      guard let credential = capture.reception else {
        throw ServiceError(.notFound, "The server did not sign this capture.")
      }
      var response = JSONResponse.bytes(credential.manifest, type: "application/c2pa")
      response.headers[.contentDisposition] = "attachment; filename=\"\(capture.id.text).c2pa\""
      return response
    }
    routes.get("/v1/captures/:id/visualizations/:kind", viewing) { call in
      let (service, id) = service(call)
      let capture = try await service.capture(id)
      guard let kind = CaptureVisualization.Kind(rawValue: call.parameter("kind")) else {
        throw ServiceError(.notFound, "There is no such visualization of this capture.")
      }
      return JSONResponse.bytes(try await service.visualization(kind, of: capture.id), type: "image/png")
    }
  }

  private func addVerification(to routes: inout APIRoutes) {
    routes.get("/v1/error-rates", RoutePolicy(.anyone, .captures)) { call in
      JSONResponse.json(ErrorRatesResponse(rates: captures[call.realm].errorRates))
    }
    routes.post("/v1/verify-file", RoutePolicy([.apiKey, .none], .captures, rate: .captures(.verify))) { call in
      let service = captures[call.realm]
      let verified = try await service.verify(receive(call.request, service))
      let digest = "\(verified.digest)"
      switch verified.answer {
      case .known(let ids):
        return JSONResponse.json(
          FileResponse(
            sha256: digest, file: "known", captures: ids.map(\.text), results: nil, provenance: verified.provenance,
            summary: []))
      case .unknown(let results):
        let scene = CaptureResponse.SummaryItem(CaptureLines.scene(of: results))
        return JSONResponse.json(
          FileResponse(
            sha256: digest, file: "unknown", captures: [], results: results, provenance: verified.provenance,
            summary: [scene]))
      }
    }
  }

  /// Policy of sending captures.
  private static var sending: RoutePolicy {
    RoutePolicy([.apiKey, .session, .demo, .token], .captures, rate: .captures(.send))
  }

  /// Returns the policy of routes that everybody with the ID of a capture may read; a key or session is evaluated for
  /// the audit log.
  private static func reading(audit: RoutePolicy.AuditRule? = nil) -> RoutePolicy {
    RoutePolicy([.apiKey, .session, .none, .token], .captures, audit: audit)
  }

  private func take(
    _ request: Request, from sender: CapturePrincipal
  ) async throws -> (capture: CaptureRecord, receipt: String) {
    let service = sender.service
    var form = CaptureMultipartForm(
      service: service, maximumBytes: sender.check == nil ? nil : service.settings.checkLimits.bytes)
    do {
      try await service.nearby {
        try await MultipartStream.read(request, into: &form, parts: service.settings.maximumBurstFrames + 16)
      }
    } catch {
      await form.draft.discard()
      throw error
    }
    return try await service.take(form.draft, owner: sender.owner, check: sender.check)
  }

  /// Writes the body to a pending blob, so that an untrusted upload is not held in memory.
  private func receive(_ request: Request, _ service: CaptureService) async throws -> PendingBlob {
    let limit = service.settings.maximumPhotoBytes
    let tooLarge = ServiceError(.bodyTooLarge, "The file is larger than the limit of \(limit) bytes.")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
    let file = try await service.begin()
    do {
      var sink = BufferedBlobWriter(file)
      for try await chunk in request.body {
        guard sink.size + chunk.readableBytes <= limit else { throw tooLarge }
        try await sink.take(chunk.readableBytesView)
      }
      guard sink.size > 0 else { throw ServiceError(.badValue, "The body is empty; send the file's bytes.") }
      try await sink.flush()
      return file
    } catch {
      await file.writer.discard()
      throw error
    }
  }

  private func part(
    _ name: String?, of capture: CaptureRecord, _ service: CaptureService
  ) async throws -> Response {
    func stream(_ blob: BlobID, _ range: Range<Int>, type: String) async throws -> Response {
      try await self.stream(service, blob, range, type: type)
    }
    switch name.flatMap({ CapturePart(rawValue: $0) }) {
    case .photo?:
      if let size = capture.photo.size, let blob = capture.photo.blob {
        return try await stream(blob, 0..<size, type: capture.photoType ?? "application/octet-stream")
      }
    case .depth?:
      if let depth = capture.depth, let size = depth.size, let blob = depth.blob {
        return try await stream(blob, 0..<size, type: "application/octet-stream")
      }
    case .metadata?: if let bytes = capture.metadata { return JSONResponse.bytes(bytes, type: "application/json") }
    case .detection?: if let bytes = capture.detection { return JSONResponse.bytes(bytes, type: "application/json") }
    case .clip?:
      if let clip = capture.motion, clip.kind == .clip, let size = clip.size, let blob = clip.blob {
        return try await stream(blob, 0..<size, type: clip.type ?? "application/octet-stream")
      }
    case .burst?, nil: break
    }
    throw Self.noSuchPart
  }

  private static var noSuchPart: ServiceError {
    ServiceError(.notFound, "This capture has no such part on this server.")
  }

  /// Streams a file of any size in chunks, each read after the previous one was sent. The first chunk is read before
  /// the response starts, so that a deleted file results in an error response instead of a truncated body.
  private func stream(
    _ service: CaptureService, _ blob: BlobID, _ range: Range<Int>, type: String
  ) async throws -> Response {
    let piece = 256 << 10
    let first = try await service.bytes(of: blob, range.prefix(piece))
    let body = ResponseBody(contentLength: range.count) { writer in
      try await writer.write(ByteBuffer(bytes: first))
      var place = range.lowerBound + first.count
      while place < range.upperBound {
        let bytes = try await service.bytes(of: blob, place..<min(place + piece, range.upperBound))
        guard !bytes.isEmpty else { throw ServiceError(.unavailable, "A file ended unexpectedly.") }
        place += bytes.count
        try await writer.write(ByteBuffer(bytes: bytes))
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store", .contentDisposition: "inline"], body: body)
  }

  /// Returns the service of the realm of the capture in the path, and the capture's ID.
  private func service(_ call: RouteCall) -> (CaptureService, id: String) {
    (captures[Realm(ofCapture: call.parameter())], call.parameter())
  }
}

/// Response to `GET /v1/error-rates`.
private struct ErrorRatesResponse: Encodable {
  let rates: [PublishedErrorRates]
}
