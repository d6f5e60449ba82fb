internal import Hummingbird
internal import MienAuthenticity
internal import MienCore
internal import MienService
internal import MienAPI
internal import NIOCore

/// Routes of captures and of file verification, which map HTTP to the service.
struct CaptureRoutes<Observer: FaceTracking>: Sendable {
  let spaces: Realms<Observer>
  let captures: Realms<Observer>.Captures
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    addDevices(to: router)
    router.post("/v1/captures") { request, context in
      let service = try await mayTake(request, context)
      let (capture, receipt) = try await take(request, service)
      var reply = CaptureResponse(capture, drawings: [], ahead: await service.load())
      reply.receipt = receipt
      var response = JSONResponse.json(reply, status: .created)
      response.headers[.location] = "/v1/captures/\(capture.id.text)"
      return response
    }
    router.get("/v1/captures/:id") { _, context in
      let (service, id) = named(context)
      let capture = try await service.capture(id)
      return JSONResponse.json(
        CaptureResponse(
          capture, drawings: try await service.drawings(of: capture.id), ahead: await service.load(),
          progress: await service.progress(of: capture.id)))
    }
    router.get("/v1/captures/:id/parts/:part") { _, context in
      let (service, id) = named(context)
      return try await part(context.parameters.get("part"), of: service.capture(id), service)
    }
    router.get("/v1/captures/:id/parts/burst/:number") { _, context in
      let (service, id) = named(context)
      let capture = try await service.capture(id)
      guard let motion = capture.motion, let blob = motion.blob,
        let place = context.parameters.get("number").flatMap({ Int($0) }).flatMap({ motion.place(of: $0) })
      else { throw Self.noSuchPart }
      return try await stream(service, blob, place, type: "image/jpeg")
    }
    router.get("/v1/captures/:id/drawings/:kind") { _, context in
      let (service, id) = named(context)
      let capture = try await service.capture(id)
      guard let kind = context.parameters.get("kind").flatMap({ CaptureVisualization.Kind(rawValue: $0) }) else {
        throw ServiceError(.notFound, "There is no such drawing of this capture.")
      }
      return JSONResponse.bytes(try await service.drawing(kind, of: capture.id), type: "image/png")
    }
    router.delete("/v1/captures/:id") { request, context in
      let secret = RequestParsing.bearer(request)
      let (service, id) = named(context)
      if secret?.hasPrefix("rcp_") == true {
        try await service.delete(id, receipt: secret)
      } else {
        _ = try await spaces.authorized(key: secret)
        // A key has no access to the other realm.
        let own = captures[secret.map { Realm(ofKey: $0) } ?? .live]
        try await own.delete(own.capture(id).id)
      }
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    router.get("/v1/error-rates") { _, _ in JSONResponse.json(ErrorRatesResponse(rates: PublishedErrorRates.shipped)) }
    router.post("/v1/verify-file") { request, context in
      let service = try await mayVerify(request, context)
      let (digest, answer) = try await service.verify(receive(request, service))
      switch answer {
      case .known(let ids):
        return JSONResponse.json(
          FileResponse(sha256: "\(digest)", file: "known", captures: ids.map(\.text), results: nil, lines: []))
      case .unknown(let results):
        let scene = CaptureResponse.Line(CaptureLines.scene(of: results))
        return JSONResponse.json(
          FileResponse(sha256: "\(digest)", file: "unknown", captures: [], results: results, lines: [scene]))
      }
    }
  }

  /// Returns the service that accepts captures and devices: of the API key's realm, or of the live realm on a demo
  /// server.
  func mayTake(_ request: Request, _ context: ServerContext) async throws -> CaptureService {
    if let key = RequestParsing.bearer(request) {
      _ = try await spaces.authorized(key: key)
      return captures[Realm(ofKey: key)]
    }
    if !context.isDemoAllowed { try await spaces.live.service.authorize(key: nil) }
    try await captures.live.admit(.send, of: context.caller(of: request))
    return captures.live
  }

  /// Returns the service that verifies files: of the API key's realm, or of the live realm without a key.
  private func mayVerify(_ request: Request, _ context: ServerContext) async throws -> CaptureService {
    if let key = RequestParsing.bearer(request) {
      _ = try await spaces.authorized(key: key)
      return captures[Realm(ofKey: key)]
    }
    try await captures.live.admit(.verify, of: context.caller(of: request))
    return captures.live
  }

  private func take(
    _ request: Request, _ service: CaptureService
  ) async throws -> (capture: CaptureRecord, receipt: String) {
    var form = CaptureMultipartForm(service: service)
    do {
      try await service.nearby {
        try await MultipartStream.read(request, into: &form, parts: service.settings.maximumBurstFrames + 16)
      }
    } catch {
      await form.draft.discard()
      throw error
    }
    return try await service.take(form.draft, owner: RequestParsing.bearer(request).map { SecretDigest(of: $0) })
  }

  /// Writes the body to a pending blob, so that an untrusted upload is not held in memory.
  private func receive(_ request: Request, _ service: CaptureService) async throws -> CaptureDraft.PendingBlob {
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
        guard !bytes.isEmpty else { throw ServiceError(.unavailable, "A file ends before its time.") }
        place += bytes.count
        try await writer.write(ByteBuffer(bytes: bytes))
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store", .contentDisposition: "inline"], body: body)
  }

  /// Returns the service of the realm of the capture in the path, and the capture's ID.
  private func named(_ context: ServerContext) -> (CaptureService, String) {
    let id = context.parameters.get("id") ?? ""
    return (captures[Realm(ofCapture: id)], id)
  }
}

/// Response to `GET /v1/error-rates`.
private struct ErrorRatesResponse: Encodable {
  let rates: [PublishedErrorRates]
}
