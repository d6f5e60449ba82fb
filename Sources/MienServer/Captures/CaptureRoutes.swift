internal import Hummingbird
internal import MienAuthenticity
internal import MienModel
internal import MienService
internal import MienWire
internal import NIOCore

/// The routes of captures, devices and files to verify: translation between HTTP and the service, no judgement.
struct CaptureRoutes<Observer: FaceObserver>: Sendable {
  let spaces: Spaces<Observer>
  let service: CaptureService
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    addDevices(to: router)
    router.post("/v1/captures") { request, _ in
      try await mayTake(request)
      let (capture, receipt) = try await take(request)
      var reply = CaptureReply(capture, drawings: [], ahead: await service.load())
      reply.receipt = receipt
      var response = Replies.json(reply, status: .created)
      response.headers[.location] = "/v1/captures/\(capture.id.text)"
      return response
    }
    router.get("/v1/captures/:id") { _, context in
      let capture = try await service.capture(Self.id(context))
      return Replies.json(
        CaptureReply(
          capture, drawings: try await service.drawings(of: capture.id), ahead: await service.load()))
    }
    router.get("/v1/captures/:id/parts/:part") { _, context in
      try await part(context.parameters.get("part"), of: service.capture(Self.id(context)))
    }
    router.get("/v1/captures/:id/drawings/:kind") { _, context in
      let capture = try await service.capture(Self.id(context))
      guard let kind = context.parameters.get("kind").flatMap({ CaptureDrawing.Kind(rawValue: $0) }) else {
        throw ServiceError(.notFound, "There is no such drawing of this capture.")
      }
      return Replies.bytes(try await service.drawing(kind, of: capture.id), type: "image/png")
    }
    router.delete("/v1/captures/:id") { request, context in
      let secret = Requests.bearer(request)
      if secret?.hasPrefix("rcp_") == true {
        try await service.erase(Self.id(context), receipt: secret)
      } else {
        try await spaces.live.service.authorise(key: secret)
        try await service.erase(service.capture(Self.id(context)).id)
      }
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    router.get("/v1/error-rates") { _, _ in Replies.json(ErrorRatesReply(rates: PublishedRates.shipped)) }
    router.post("/v1/verify-file") { request, _ in
      let (digest, answer) = try await service.verify(receive(request))
      switch answer {
      case .known(let ids):
        return Replies.json(
          FileReply(sha256: "\(digest)", file: "known", captures: ids.map(\.text), results: nil, lines: []))
      case .unknown(let results):
        let scene = CaptureReply.Line(CaptureLines.scene(of: results))
        return Replies.json(
          FileReply(sha256: "\(digest)", file: "unknown", captures: [], results: results, lines: [scene]))
      }
    }
  }

  private func addDevices(to router: Router<ServerContext>) {
    router.post("/v1/devices") { request, _ in
      try await mayTake(request)
      let body = try await Requests.json(RegisterDeviceRequest.self, request, upTo: settings.maximumJSONBytes)
      guard let id = DeviceID(body.device) else {
        throw ServiceError(.badValue, "\"device\" must be 1 to 64 characters of A–Z a–z 0–9 - _.")
      }
      guard body.key.kty == "EC", body.key.crv == "P-256", let key = DeviceKey(x: body.key.x, y: body.key.y) else {
        throw ServiceError(.badValue, "\"key\" must be a public key of kty \"EC\" on crv \"P-256\" with x and y.")
      }
      let device = try await service.register(id, key: key)
      return Replies.json(
        DeviceReply(
          device: device.id.text, counter: device.counter,
          createdAt: Replies.rfc3339(milliseconds: device.created.milliseconds)), status: .created)
    }
    router.delete("/v1/devices/:id") { request, context in
      try await spaces.live.service.authorise(key: Requests.bearer(request))
      guard let id = context.parameters.get("id").flatMap({ DeviceID($0) }) else {
        throw ServiceError(.notFound, "There is no device of this name on this server.")
      }
      try await service.eraseDevice(id)
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
  }

  /// Anybody on a demo server, otherwise who holds an API key. Captures live in the live space only.
  private func mayTake(_ request: Request) async throws {
    guard !service.settings.allowsDemo else { return }
    try await spaces.live.service.authorise(key: Requests.bearer(request))
  }

  private func take(_ request: Request) async throws -> (capture: CaptureRecord, receipt: String) {
    var form = CaptureForm(service: service)
    do {
      try await FormPump.read(request, into: &form)
    } catch {
      await form.draft.discard()
      throw error
    }
    return try await service.take(form.draft)
  }

  /// The body as a file that nobody sees, so that no stranger's upload stays in memory.
  private func receive(_ request: Request) async throws -> CaptureDraft.File {
    let limit = service.settings.maximumPhotoBytes
    let tooLarge = ServiceError(.bodyTooLarge, "The file is larger than the limit of \(limit) bytes.")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
    let file = try await service.begin()
    do {
      var sink = FileSink(file)
      for try await chunk in request.body {
        guard sink.size + chunk.readableBytes <= limit else { throw tooLarge }
        try await sink.take(Array(chunk.readableBytesView)[...])
      }
      guard sink.size > 0 else { throw ServiceError(.badValue, "The body is empty; send the file's bytes.") }
      try await sink.flush()
      return file
    } catch {
      await file.writer.discard()
      throw error
    }
  }

  private func part(_ name: String?, of capture: CaptureRecord) async throws -> Response {
    switch name.flatMap({ CapturePart(rawValue: $0) }) {
    case .photo?:
      if let size = capture.photo.size, let blob = capture.photo.blob {
        return try await stream(blob, size, type: capture.photoType ?? "application/octet-stream")
      }
    case .depth?:
      if let depth = capture.depth, let size = depth.size, let blob = depth.blob {
        return try await stream(blob, size, type: "application/octet-stream")
      }
    case .metadata?: if let bytes = capture.metadata { return Replies.bytes(bytes, type: "application/json") }
    case .detection?: if let bytes = capture.detection { return Replies.bytes(bytes, type: "application/json") }
    case nil: break
    }
    throw ServiceError(.notFound, "This capture has no such part on this server.")
  }

  /// A file of any size in pieces, each read when the last has been taken; the first before anything is promised, so that a
  /// file that is gone is told as an error and not as a reply that breaks off.
  private func stream(_ blob: BlobID, _ size: Int, type: String) async throws -> Response {
    let piece = 256 << 10
    let first = try await service.bytes(of: blob, 0..<min(piece, size))
    let body = ResponseBody(contentLength: size) { writer in
      try await writer.write(ByteBuffer(bytes: first))
      var place = first.count
      while place < size {
        let bytes = try await service.bytes(of: blob, place..<min(place + piece, size))
        guard !bytes.isEmpty else { throw ServiceError(.unavailable, "A file ends before its time.") }
        place += bytes.count
        try await writer.write(ByteBuffer(bytes: bytes))
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: type, .cacheControl: "no-store", .contentDisposition: "inline"], body: body)
  }

  private static func id(_ context: ServerContext) -> String { context.parameters.get("id") ?? "" }
}

/// The reply to the question how often the checks are wrong.
private struct ErrorRatesReply: Encodable {
  let rates: [PublishedRates]
}
