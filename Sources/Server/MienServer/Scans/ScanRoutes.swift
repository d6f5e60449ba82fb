internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MienCore
internal import MienService
internal import MienAPI
internal import NIOCore

/// Routes of depth scans, which map HTTP to the service.
struct ScanRoutes<Observer: FaceTracking>: Sendable {
  let spaces: Realms<Observer>
  let scans: Realms<Observer>.Scans
  let settings: ServerSettings

  /// Maximum size of a list of files, in bytes of JSON.
  private static var largestList: Int { 2 << 20 }

  func addAll(to router: Router<ServerContext>) {
    add(to: router)
    addFiles(to: router)
    addExports(to: router)
    addUploads(to: router)
    addSubjects(to: router)
  }

  private func add(to router: Router<ServerContext>) {
    router.post("/upload") { request, context in
      let caller = try await caller(request, context)
      let named = try caller.request(nil)
      let service = caller.service
      var form = ScanMultipartForm(service: service, maximumBytes: caller.maximumBytes)
      do {
        try await service.nearby { try await MultipartStream.read(request, into: &form) }
      } catch {
        for part in form.draft.files { await part.file.writer.discard() }
        throw error
      }
      var draft = form.draft
      do {
        draft.subject = try caller.subject(draft.subject)
      } catch {
        for part in draft.files { await part.file.writer.discard() }
        throw error
      }
      let scan = try await service.take(draft, owner: caller.owner, check: caller.check, request: named)
      return Self.placed(JSONResponse.json(UploadedResponse(scan), status: .accepted), at: scan)
    }
    router.post("/v1/scans") { request, context in
      let caller = try await caller(request, context)
      let body = try await RequestParsing.json(CreateScanRequest.self, request, upTo: Self.largestList)
      guard let kind = ScanRecord.Kind(rawValue: body.kind ?? "face") else {
        throw ServiceError(.badValue, "\"kind\" must be \"face\" or \"object\".")
      }
      let photos = body.photosExpected ?? (kind == .face ? 3 : 0)
      guard (0...1000).contains(photos) else {
        throw ServiceError(.badValue, "\"photos_expected\" must be 0 to 1000.")
      }
      let (scan, isNew) = try await caller.service.create(
        body.files.map { ScanService.Announced(name: $0.name, bytes: $0.bytes, type: $0.type) },
        subject: try caller.subject(body.subject), label: body.label, kind: kind, photosExpected: photos,
        owner: caller.owner, check: caller.check, request: try caller.request(request.headers[.idempotencyKey]),
        maximumBytes: caller.maximumBytes)
      let response = try await shown(scan, isNew ? .created : .ok, of: caller.service, to: request, context)
      return Self.placed(response, at: scan)
    }
    router.get("/v1/scans") { request, context in
      let service = try await service(for: request, context)
      return JSONResponse.json(ScanListResponse(try await service.scans(Self.query(request))))
    }
    router.get("/v1/scans/:id") { request, context in
      let caller = try await caller(request, context)
      let scan = try await caller.service.scan(caller.own(Self.id(context)))
      return try await shown(scan, of: caller.service, to: request, context)
    }
    router.patch("/v1/scans/:id") { request, context in
      let service = try await service(for: request, context)
      let body = try await RequestParsing.json(DescribeScanRequest.self, request, upTo: settings.maximumJSONBytes)
      let scan = try await service.describe(Self.id(context), subject: body.subject, label: body.label)
      return try await shown(scan, of: service, to: request, context)
    }
    router.delete("/v1/scans/:id") { request, context in
      try await service(for: request, context).delete(Self.id(context))
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    router.post("/v1/scans/:id/submit") { request, context in
      let caller = try await caller(request, context)
      let scan = try await caller.service.submit(caller.own(Self.id(context)))
      return try await shown(scan, .accepted, of: caller.service, to: request, context)
    }
    router.post("/v1/scans/:id/cancel") { request, context in
      let service = try await service(for: request, context)
      return try await shown(service.cancel(Self.id(context)), of: service, to: request, context)
    }
    router.post("/v1/scans/:id/retry") { request, context in
      let service = try await service(for: request, context)
      return try await shown(service.retry(Self.id(context)), .accepted, of: service, to: request, context)
    }
  }

  private func addFiles(to router: Router<ServerContext>) {
    router.get("/v1/scans/:id/files/**") { request, context in
      let service = try await service(for: request, context)
      let scan = try await service.scan(Self.id(context))
      return try await Self.file(Self.rest(context), among: scan.files, request, service)
    }
    router.get("/v1/scans/:id/results/**") { request, context in
      let service = try await service(for: request, context)
      let scan = try await service.scan(Self.id(context))
      return try await Self.file(Self.rest(context), among: scan.status == .done ? scan.results : [], request, service)
    }
    router.get("/v1/scans/:id/depth/:frame") { request, context in
      let service = try await service(for: request, context)
      let name = context.parameters.get("frame") ?? ""
      guard name.hasSuffix(".png"), let frame = Int(name.dropLast(4)) else {
        throw ServiceError(.notFound, "A depth map's address ends in its number and .png.")
      }
      return JSONResponse.bytes(try await service.depthImage(of: frame, scan: Self.id(context)), type: "image/png")
    }
  }

  /// Returns the scan service of the key's realm, or of the live realm for demo requests without a key.
  func service(for request: Request, _ context: ServerContext) async throws -> ScanService {
    guard let key = RequestParsing.bearer(request) else {
      if context.isDemoAllowed { return scans.live }
      return try await noKey(request)
    }
    _ = try await spaces.authorized(key: key)
    return scans[Realm(ofKey: key)]
  }

  private func noKey(_ request: Request) async throws -> ScanService {
    _ = try await spaces.authorized(request)
    return scans.live
  }

  static func owner(_ request: Request) -> SecretDigest? { RequestParsing.bearer(request).map { SecretDigest(of: $0) } }

  static func id(_ context: ServerContext) -> String { context.parameters.get("id") ?? "" }

  /// Returns the rest of the path as a file name.
  private static func rest(_ context: ServerContext) -> String {
    let name = context.parameters.getCatchAll().joined(separator: "/")
    return name.removingPercentEncoding ?? name
  }

  private static func placed(_ response: Response, at scan: ScanRecord) -> Response {
    var response = response
    response.headers[.location] = "/v1/scans/\(scan.id.text)"
    return response
  }

  /// Returns a response with a scan. If it includes findings, an audit entry is written first, in the realm of the
  /// scan.
  private func shown(
    _ scan: ScanRecord, _ status: HTTPResponse.Status = .ok, of service: ScanService, to request: Request,
    _ context: ServerContext
  ) async throws -> Response {
    let reply = ScanResponse(scan)
    // A response to `HEAD` exposes nothing.
    if reply.showsFindings, request.method != .head {
      let world = spaces[service.settings.space].service
      let actor = try await actor(request, context, world)
      try await AccessAudit.note(
        .viewedScan, of: "scan/\(scan.id.text)", by: actor, in: world.audit, at: spaces.live.service.timeOfDay)
    }
    return JSONResponse.json(reply, status: status)
  }

  /// Returns the actor for the audit log; for a check's token, the check.
  private func actor(
    _ request: Request, _ context: ServerContext, _ world: LivenessCheckService<Observer>
  ) async throws -> String {
    if let known = context.actor { return known }
    guard let secret = RequestParsing.bearer(request), let holder = try await world.holder(of: secret) else {
      return AccessAudit.stranger(request)
    }
    return "check/\(holder.check.id.text)"
  }

  private static func file(
    _ name: String, among files: [ScanRecord.File], _ request: Request, _ service: ScanService
  ) async throws -> Response {
    guard let file = files.first(where: { $0.name == name }), let blob = file.blob else {
      throw ServiceError(.notFound, "The scan has no such file.")
    }
    return try await RangeResponse.response(
      to: request, bytes: file.bytes, type: file.type, digest: file.digest
    ) { range in
      try await service.bytes(of: blob, range)
    }
  }

  // MARK: - Lists

  private static func query(_ request: Request) throws -> ScanQuery {
    let asked = request.uri.queryParameters
    var query = ScanQuery()
    if let subject = text(asked["subject"]) {
      guard let id = ScanSubjectID(subject) else { throw ServiceError(.badValue, "\"subject\" is no subject's id.") }
      query.subject = id
    }
    if let day = text(asked["day"]) {
      guard let range = UTCDate.milliseconds(of: day) else { throw noDay }
      query.created = range
    }
    if let status = text(asked["status"]) {
      guard let status = ScanRecord.Status(rawValue: status) else {
        throw ServiceError(
          .badValue,
          "\"status\" must be one of \(ScanRecord.Status.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      query.status = status
    }
    query.label = text(asked["label"])
    query.text = text(asked["q"])
    query.after = try cursor(asked["after"])
    query.limit = try limit(asked["limit"])
    return query
  }

  static var noDay: ServiceError { ServiceError(.badValue, "\"day\" must be a day as YYYY-MM-DD.") }

  static func text(_ value: Substring?) -> String? {
    guard let value, !value.isEmpty else { return nil }
    return String(value.prefix(200))
  }

  static func cursor(_ value: Substring?) throws -> PageCursor? {
    guard let text = text(value) else { return nil }
    guard let cursor = PageCursor(text: text) else {
      throw ServiceError(.badValue, "\"after\" must be the \"next\" of the list before.")
    }
    return cursor
  }

  static func limit(_ value: Substring?) throws -> Int {
    guard let text = text(value) else { return 50 }
    guard let limit = Int(text), (1...200).contains(limit) else {
      throw ServiceError(.badValue, "\"limit\" must be 1 to 200.")
    }
    return limit
  }
}

extension HTTPField.Name {
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
