internal import Hummingbird
internal import MienAPI
internal import MienCaptures
internal import MienChecks
internal import MienCore
internal import MienMessageService
internal import MienPlatform

/// Filters of the list of checks.
extension CheckRoutes {
  static func query(_ request: Request) throws -> CheckListQuery {
    let asked = request.uri.queryParameters
    var query = CheckListQuery()
    query.state = try ListParameters.value(asked["state"], "state")
    query.assurance = try ListParameters.value(asked["assurance"], "assurance")
    query.reference = try ListParameters.exactText(asked["reference"], "reference")
    if let person = ListParameters.text(asked["person"]) {
      guard let id = PersonID(person) else { throw ServiceError(.badValue, "\"person\" is not a person's ID.") }
      query.person = id
    }
    query.name = try ListParameters.exactText(asked["q"], "q")
    query.page = try ListParameters.page(request)
    return query
  }
}

/// Filters of the list of captures.
extension CaptureRoutes {
  static func query(_ request: Request) throws -> CaptureListQuery {
    let asked = request.uri.queryParameters
    var query = CaptureListQuery()
    query.state = try ListParameters.value(asked["state"], "state")
    if let check = ListParameters.text(asked["check"]) {
      guard let id = CheckID(check) else { throw ServiceError(.badValue, "\"check\" is not a check's ID.") }
      query.check = id
    }
    query.page = try ListParameters.page(request)
    return query
  }
}

/// Filters of the list of messages.
extension MessageRoutes {
  static func query(_ request: Request) throws -> MessageListQuery {
    var query = MessageListQuery()
    query.state = try ListParameters.value(request.uri.queryParameters["state"], "state")
    query.page = try ListParameters.page(request)
    return query
  }
}

extension CheckSummaryResponse {
  init(_ check: CheckSummary) {
    self.init(
      id: check.id.text, state: check.verdict?.outcome.rawValue ?? "open", assurance: check.assurance?.rawValue,
      person: check.person?.text, reference: check.reference,
      createdAt: JSONResponse.rfc3339(milliseconds: check.created.milliseconds),
      expiresAt: JSONResponse.rfc3339(milliseconds: check.expires.milliseconds),
      decidedAt: check.verdict.map { JSONResponse.rfc3339(milliseconds: $0.decided.milliseconds) },
      reason: check.verdict?.reason, source: check.verdict?.source.rawValue, basis: check.verdict?.basis.rawValue)
  }
}

extension CaptureSummaryResponse {
  init(_ capture: CaptureSummary) {
    self.init(
      id: capture.id.text, state: capture.state.rawValue, check: capture.check?.text, bytes: capture.bytes,
      photoType: capture.photoType, hasDepth: capture.hasDepth, hasMotion: capture.hasMotion,
      isSigned: capture.isSigned, receivedAt: JSONResponse.rfc3339(milliseconds: capture.received.milliseconds))
  }
}
