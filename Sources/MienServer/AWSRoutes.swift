internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MienModel
internal import MienService
internal import MienWire

/// The AWS dialect: Amazon Rekognition's Face Liveness operations in JSON 1.1. Translation, no judgement.
struct AWSRoutes<Observer: FaceObserver>: Sendable {
  private static var prefix: String { "RekognitionService." }
  /// What our head turn is called there; see Documentation/Dialects.md.
  private static var challenge: GetFaceLivenessSessionResultsReply.Challenge {
    .init(type: "FaceMovementChallenge", version: "1.0.0")
  }

  let spaces: Spaces<Observer>
  let settings: ServerSettings
  private let sights = RecentSights()

  init(spaces: Spaces<Observer>, settings: ServerSettings) {
    self.spaces = spaces
    self.settings = settings
  }

  func add(to router: Router<ServerContext>) {
    router.post("/") { request, context in
      do {
        return try await answer(request)
      } catch {
        let fault = AWSReplies.fault(error)
        if fault.kind == .internalServerError {
          let what = (error as? StoreError).map { "\($0)" } ?? "\(type(of: error))"
          context.logger.error("AWS dialect", metadata: ["error": "\(what)"])
        }
        return AWSReplies.error(fault)
      }
    }
  }

  private func answer(_ request: Request) async throws -> Response {
    let body = try await Requests.body(request, upTo: settings.maximumJSONBytes)
    let service = spaces[Self.space(request)].service
    let owner = try await service.authenticate(Self.signed(request, body))
    guard Requests.mediaType(request) == "application/x-amz-json-1.1" else {
      throw AWSFault(.serialization, "The Content-Type must be application/x-amz-json-1.1.")
    }
    let target = request.headers[.amzTarget] ?? ""
    switch target.hasPrefix(Self.prefix) ? String(target.dropFirst(Self.prefix.count)) : "" {
    case "CreateFaceLivenessSession": return try await create(body, owner, in: service)
    case "GetFaceLivenessSessionResults": return try await results(body, owner, in: service)
    default:
      throw AWSFault(
        .unknownOperation, "This server knows CreateFaceLivenessSession and GetFaceLivenessSessionResults only.")
    }
  }

  /// The space of the access key that signed a request, before anybody has looked whether it did.
  private static func space(_ request: Request) -> Space {
    guard let header = request.headers[.authorization], let name = header.range(of: "Credential=") else { return .live }
    return Space(ofAccessKey: String(header[name.upperBound...]))
  }

  private static func signed(_ request: Request, _ body: [UInt8]) -> SignedRequest {
    var headers = request.headers.map { (name: $0.name.canonicalName, value: $0.value) }
    if let host = request.head.authority { headers.append((name: "host", value: host)) }
    return SignedRequest(
      method: request.method.rawValue, path: request.uri.path, query: request.uri.query, headers: headers, body: body)
  }

  private func create(_ body: [UInt8], _ owner: String, in service: CheckService<Observer>) async throws -> Response {
    let wish = try AWSWishes.read(AWSReplies.decode(CreateFaceLivenessSessionRequest.self, body))
    let session = try await service.createLivenessSession(wish, by: owner)
    var response = AWSReplies.json(CreateFaceLivenessSessionReply(sessionID: session.id.text))
    // AWS has no field for what the person's page needs; every SDK shows the headers of a reply.
    response.headers[.mienToken] = session.token
    response.headers[.mienPage] =
      CreateCheckReply(id: session.id.text, token: session.token, expiresAt: "").page
    return response
  }

  private func results(_ body: [UInt8], _ owner: String, in service: CheckService<Observer>) async throws -> Response {
    let request = try AWSReplies.decode(GetFaceLivenessSessionResultsRequest.self, body)
    guard let text = request.sessionID, AWSWishes.isUUID(text), let id = SessionID(text) else {
      throw AWSFault(.validation, "SessionId must be a UUID in lower case, as CreateFaceLivenessSession returned it.")
    }
    let results = try await service.livenessResults(id)
    let isOver = results.status == .succeeded || results.status == .failed
    let audits = isOver ? results.audits : []
    if results.reference != nil || !audits.isEmpty { try await note(owner, saw: id, of: service) }
    return AWSReplies.json(
      GetFaceLivenessSessionResultsReply(
        sessionID: id.text, status: results.status.rawValue, confidence: results.confidence,
        referenceImage: results.reference.map(AWSReplies.image),
        auditImages: isOver ? audits.map(AWSReplies.image) : nil, challenge: isOver ? Self.challenge : nil))
  }

  /// Writes down who saw the pictures of a check, as ``AuditKeeper`` does where a path tells it.
  private func note(_ owner: String, saw id: SessionID, of service: CheckService<Observer>) async throws {
    let (subject, actor) = ("check/\(id.text)", "aws/\(owner)")
    let (sight, now) = ("\(actor) \(subject)", service.timeOfDay)
    guard !sights.isRecent(sight, at: now) else { return }
    try await service.audit?.add(.sawPictures, of: subject, by: actor)
    sights.remember(sight, at: now)
  }
}

extension HTTPField.Name {
  static let amzTarget = HTTPField.Name("X-Amz-Target")!
  static let amznRequestID = HTTPField.Name("x-amzn-RequestId")!
  static let amznErrorType = HTTPField.Name("x-amzn-ErrorType")!
  static let mienToken = HTTPField.Name("Mien-Token")!
  static let mienPage = HTTPField.Name("Mien-Page")!
}
