internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MienAccess
internal import MienAPI
internal import MienChecks
internal import MienCore
internal import MienPlatform
internal import MienScanService
internal import NIOCore

/// Routes of depth scans, which map HTTP to the service.
struct ScanRoutes: Sendable {
  let realms: Realms
  let scans: Realms.Scans
  let settings: ServerSettings

  /// Maximum size of a list of files, in bytes of JSON.
  private static var largestList: Int { 2 << 20 }

  /// Policy of routes for keys, and for everybody on a demo server.
  static func keyed(body: Int = 0, audit: RoutePolicy.AuditRule? = nil) -> RoutePolicy {
    RoutePolicy(.keyOrDemo, .scans, body: body, audit: audit, origins: .uploads)
  }

  /// Policy of routes that accept the token of a check too.
  static func open(body: Int = 0) -> RoutePolicy {
    RoutePolicy([.apiKey, .session, .demo, .token], .scans, body: body, origins: .uploads)
  }

  func add(to routes: inout APIRoutes) {
    addScans(to: &routes)
    addFiles(to: &routes)
    addExports(to: &routes)
    addUploads(to: &routes)
    addSubjects(to: &routes)
  }

  private func addScans(to routes: inout APIRoutes) {
    routes.post("/upload", RoutePolicy([.apiKey, .session, .demo, .token], .scans, origins: .none)) { call in
      let request = call.request
      let caller = try await principal(call)
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
    routes.post("/v1/scans", Self.open(body: Self.largestList)) { call in
      let caller = try await principal(call)
      let body = try await call.json(CreateScanRequest.self)
      guard let kind = ScanRecord.Kind(rawValue: body.kind ?? "face") else {
        throw ServiceError(.badValue, "\"kind\" must be \"face\", \"object\" or \"room\".")
      }
      let photos = body.photosExpected ?? (kind == .face ? 3 : 0)
      guard (0...1000).contains(photos) else {
        throw ServiceError(.badValue, "\"photos_expected\" must be 0 to 1000.")
      }
      let (scan, isNew) = try await caller.service.create(
        body.files.map { ScanService.Announced(name: $0.name, bytes: $0.bytes, type: $0.type) },
        subject: try caller.subject(body.subject), label: body.label, kind: kind, photosExpected: photos,
        options: try ScanRecord.Options(body), owner: caller.owner, check: caller.check,
        request: try caller.request(call.request.headers[.idempotencyKey]),
        maximumBytes: caller.maximumBytes)
      let response = try await shown(scan, isNew ? .created : .ok, of: caller.service, to: call)
      return Self.placed(response, at: scan)
    }
    routes.get("/v1/scans", Self.keyed()) { call in
      let service = scans[call.realm]
      return JSONResponse.json(ScanListResponse(try await service.scans(Self.query(call.request))))
    }
    routes.get("/v1/scans/:id", Self.open()) { call in
      let caller = try await principal(call)
      let scan = try await caller.service.scan(caller.own(call.parameter()))
      return try await shown(scan, of: caller.service, to: call)
    }
    routes.patch("/v1/scans/:id", Self.keyed(body: settings.maximumJSONBytes)) { call in
      let service = scans[call.realm]
      let body = try await call.json(DescribeScanRequest.self)
      let scan = try await service.describe(call.parameter(), subject: body.subject, label: body.label)
      return try await shown(scan, of: service, to: call)
    }
    routes.delete("/v1/scans/:id", Self.keyed(audit: .init(.deletedScan, "scan"))) { call in
      try await scans[call.realm].delete(call.parameter())
      return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
    routes.post("/v1/scans/:id/submit", Self.open()) { call in
      let caller = try await principal(call)
      let scan = try await caller.service.submit(caller.own(call.parameter()))
      return try await shown(scan, .accepted, of: caller.service, to: call)
    }
    routes.post("/v1/scans/:id/cancel", Self.keyed()) { call in
      let service = scans[call.realm]
      return try await shown(service.cancel(call.parameter()), of: service, to: call)
    }
    routes.post("/v1/scans/:id/retry", Self.keyed()) { call in
      let service = scans[call.realm]
      return try await shown(service.retry(call.parameter()), .accepted, of: service, to: call)
    }
  }

  private func addFiles(to routes: inout APIRoutes) {
    let viewing = Self.keyed(audit: .init(.viewedScan, "scan"))
    routes.get("/v1/scans/:id/files/**", viewing) { call in
      let service = scans[call.realm]
      let scan = try await service.scan(call.parameter())
      return try await Self.file(Self.rest(call.context), among: scan.files, call.request, service)
    }
    routes.get("/v1/scans/:id/results/**", viewing) { call in
      let service = scans[call.realm]
      let scan = try await service.scan(call.parameter())
      return try await Self.file(
        Self.rest(call.context), among: scan.status == .done ? scan.results : [], call.request, service)
    }
    routes.get("/v1/scans/:id/depth/:frame", viewing) { call in
      let service = scans[call.realm]
      let name = call.parameter("frame")
      guard name.hasSuffix(".png"), let frame = Int(name.dropLast(4)) else {
        throw ServiceError(.notFound, "A depth map's address ends in its number and .png.")
      }
      return JSONResponse.bytes(try await service.depthImage(of: frame, scan: call.parameter()), type: "image/png")
    }
  }

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
    _ scan: ScanRecord, _ status: HTTPResponse.Status = .ok, of service: ScanService, to call: RouteCall
  ) async throws -> Response {
    let response = ScanResponse(scan)
    // A response to `HEAD` exposes nothing.
    if response.showsFindings, call.request.method != .head {
      let checks = realms[service.settings.realm].checks
      let actor = try await actor(call, checks)
      try await AccessAudit.note(
        .viewedScan, of: "scan/\(scan.id.text)", by: actor, in: realms[service.settings.realm].access.audit,
        at: realms.clock.timeOfDay())
    }
    return JSONResponse.json(response, status: status)
  }

  /// Returns the actor for the audit log; for a check's token, the check.
  private func actor(_ call: RouteCall, _ checks: LivenessCheckService) async throws -> String {
    if let known = call.context.actor { return known }
    guard let secret = call.bearer, let holder = try await checks.holder(of: secret) else {
      return AccessAudit.unauthenticatedActor(call.request)
    }
    return AuditActorKind.check.actor(holder.check.id.text)
  }

  private static func file(
    _ name: String, among files: [ScanRecord.File], _ request: Request, _ service: ScanService
  ) async throws -> Response {
    guard let file = files.first(where: { $0.name == name }), file.isWhole else {
      throw ServiceError(.notFound, "The scan has no such file.")
    }
    let stored = try await service.open(file)
    return try await RangeResponse.response(
      to: request, bytes: file.bytes, type: file.type, digest: file.digest
    ) { range in
      try await stored.read(range)
    }
  }

  // MARK: - Lists

  private static func query(_ request: Request) throws -> ScanQuery {
    let asked = request.uri.queryParameters
    var query = ScanQuery()
    if let subject = ListParameters.text(asked["subject"]) {
      guard let id = ScanSubjectID(subject) else { throw ServiceError(.badValue, "\"subject\" is not a subject's ID.") }
      query.subject = id
    }
    if let day = ListParameters.text(asked["day"]) {
      guard let range = UTCDate.milliseconds(of: day) else { throw noDay }
      query.created = range
    }
    query.status = try ListParameters.value(asked["status"], "status")
    query.label = ListParameters.text(asked["label"])
    query.text = ListParameters.text(asked["q"])
    query.after = try ListParameters.cursor(asked["after"])
    query.limit = try ListParameters.limit(asked["limit"])
    return query
  }

  static var noDay: ServiceError { ServiceError(.badValue, "\"day\" must be a day as YYYY-MM-DD.") }
}

extension HTTPField.Name {
  static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

extension ScanRecord.Options {
  /// - Throws: ``ServiceError`` `badValue` for a length out of range.
  init(_ body: CreateScanRequest) throws {
    self.init()
    if let millimeters = body.voxelMillimeters {
      guard let voxel = Self.whole(millimeters * 1000, in: Self.voxels) else {
        throw ServiceError(.badValue, "\"voxel_millimeters\" must be 0.5 to 100.")
      }
      self.voxel = voxel
    }
    guard let ends = body.rangeMillimeters else { return }
    let whole = ends.compactMap { Self.whole($0, in: 0...Self.farthest) }
    guard ends.count == 2, whole.count == 2, whole[0] < whole[1] else {
      throw ServiceError(
        .badValue, "\"range_millimeters\" must be two distances of 0 to \(Self.farthest), the nearer one first.")
    }
    range = whole[0]...whole[1]
  }

  private static func whole(_ value: Double, in range: ClosedRange<Int>) -> Int? {
    guard value.isFinite, let whole = Int(exactly: value.rounded()), range.contains(whole) else { return nil }
    return whole
  }
}
