internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienChecks
internal import MienAPI

/// Routes of the AWS-compatible API: Amazon Rekognition's Face Liveness operations in JSON 1.1, mapped to the service.
struct AWSRoutes: Sendable {
  private static var prefix: String { "RekognitionService." }
  /// Name of this server's challenges in that API; see Documentation/guides/CompatibleAPIs.md.
  private static var challenge: GetFaceLivenessSessionResultsResponse.Challenge {
    .init(type: "FaceMovementChallenge", version: "1.0.0")
  }

  let realms: Realms
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    let policy = RoutePolicy(.anyone, body: settings.maximumComparisonBytes, origins: .none, errors: .aws)
    routes.post("/", policy) { call in
      try await respond(to: call)
    }
  }

  private func respond(to call: RouteCall) async throws -> Response {
    let request = call.request
    let service = realms[Self.realm(request)].checks
    let body = try await Self.body(call, settings, service)
    let owner = try await service.authenticate(Self.signed(request, body))
    guard RequestParsing.mediaType(request) == "application/x-amz-json-1.1" else {
      throw AWSError(.serialization, "The Content-Type must be application/x-amz-json-1.1.")
    }
    let target = request.headers[.amzTarget] ?? ""
    switch target.hasPrefix(Self.prefix) ? String(target.dropFirst(Self.prefix.count)) : "" {
    case "CreateFaceLivenessSession": return try await create(body, owner, in: service)
    case "GetFaceLivenessSessionResults": return try await results(body, owner, in: service)
    case "CompareFaces": return try await AWSCompareFaces.response(body, in: service)
    default:
      throw AWSError(
        .unknownOperation,
        "This server supports CompareFaces, CreateFaceLivenessSession and GetFaceLivenessSessionResults only.")
    }
  }

  /// Returns the realm of the access key in a request, before its signature is verified.
  private static func realm(_ request: Request) -> Realm {
    guard let header = request.headers[.authorization], let name = header.range(of: "Credential=") else { return .live }
    return Realm(ofAccessKey: String(header[name.upperBound...]))
  }

  /// Reads the body. One with images is read only for a known access key, so that clients without one cannot fill the
  /// server's memory; the signature is verified once it is read.
  private static func body(
    _ call: RouteCall, _ settings: ServerSettings, _ service: LivenessCheckService
  ) async throws -> [UInt8] {
    guard call.request.headers[.amzTarget] == prefix + "CompareFaces",
      try await service.knowsAccessKey(of: signed(call.request, []))
    else { return try await RequestParsing.body(call.request, upTo: settings.maximumJSONBytes) }
    return try await call.body()
  }

  private static func signed(_ request: Request, _ body: [UInt8]) -> SignedRequest {
    var headers = request.headers.map { (name: $0.name.canonicalName, value: $0.value) }
    if let host = request.head.authority { headers.append((name: "host", value: host)) }
    return SignedRequest(
      method: request.method.rawValue, path: request.uri.path, query: request.uri.query, headers: headers, body: body)
  }

  private func create(_ body: [UInt8], _ owner: String, in service: LivenessCheckService) async throws
    -> Response
  {
    let options = try AWSRequestMapping.read(AWSResponses.decode(CreateFaceLivenessSessionRequest.self, body))
    let session = try await service.createLivenessSession(options, by: owner)
    var response = AWSResponses.json(CreateFaceLivenessSessionResponse(sessionID: session.id.text))
    // AWS has no field for the data that the person's page needs; every SDK exposes the headers of a response.
    response.headers[.mienToken] = session.token
    response.headers[.mienPage] =
      CreateCheckResponse(
        id: session.id.text, token: session.token, expiresAt: "", publicURL: settings.publicURL
      ).page
    return response
  }

  private func results(_ body: [UInt8], _ owner: String, in service: LivenessCheckService) async throws
    -> Response
  {
    let request = try AWSResponses.decode(GetFaceLivenessSessionResultsRequest.self, body)
    guard let text = request.sessionID, AWSRequestMapping.isUUID(text), let id = CheckID(text) else {
      throw AWSError(.validation, "SessionId must be a UUID in lower case, as CreateFaceLivenessSession returned it.")
    }
    let results = try await service.livenessResults(id)
    let isOver = results.status == .succeeded || results.status == .failed
    let audits = isOver ? results.audits : []
    if results.reference != nil || !audits.isEmpty { try await note(owner, saw: id, of: service) }
    return AWSResponses.json(
      GetFaceLivenessSessionResultsResponse(
        sessionID: id.text, status: results.status.rawValue, confidence: results.confidence,
        referenceImage: results.reference.map(AWSResponses.image),
        auditImages: isOver ? audits.map(AWSResponses.image) : nil, challenge: isOver ? Self.challenge : nil,
        feedback: results.feedback.isEmpty
          ? nil : results.feedback.map(GetFaceLivenessSessionResultsResponse.FeedbackItem.init)))
  }

  /// Records access to a check's images in the audit log.
  private func note(_ owner: String, saw id: CheckID, of service: LivenessCheckService) async throws {
    try await AccessAudit.note(
      .viewedImages, of: "check/\(id.text)", by: AuditActorKind.aws.actor(owner),
      in: realms[service.settings.realm].access.audit, at: realms.clock.timeOfDay())
  }
}

extension HTTPField.Name {
  static let amzTarget = HTTPField.Name("X-Amz-Target")!
  static let amznRequestID = HTTPField.Name("x-amzn-RequestId")!
  static let amznErrorType = HTTPField.Name("x-amzn-ErrorType")!
  static let mienToken = HTTPField.Name("Mien-Token")!
  static let mienPage = HTTPField.Name("Mien-Page")!
}
