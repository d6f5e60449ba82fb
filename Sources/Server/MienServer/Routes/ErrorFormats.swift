internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MienAPI
internal import MienPlatform
internal import MienChecks

extension RoutePolicy.ErrorFormat {
  /// Returns the response to a request that failed. Of unknown errors, only the type is logged.
  ///
  /// - Throws: errors of the HTTP library that have a status of their own.
  func response(to error: any Error, _ logger: Logger) throws -> Response {
    switch self {
    case .problem: try Self.problem(error, logger)
    case .tus: try Self.tus(error, logger)
    case .aws: Self.aws(error, logger)
    case .youverify: Self.youverify(ProblemDetails.error(error, logger))
    }
  }

  private static func problem(_ error: any Error, _ logger: Logger) throws -> Response {
    guard let error = error as? HTTPError else {
      return ProblemDetails.response(ProblemDetails.error(error, logger))
    }
    switch error.status {
    case .notFound: return ProblemDetails.response(ServiceError(.notFound, "There is nothing at this address."))
    case .badRequest:
      let reason = error.body ?? "The address of the request is not valid."
      return ProblemDetails.response(ServiceError(.badRequest, reason))
    case .contentTooLarge:
      return ProblemDetails.response(ServiceError(.bodyTooLarge, error.body ?? "\(error.status)"))
    case .methodNotAllowed:
      return ProblemDetails.response(ServiceError(.methodNotAllowed, error.body ?? "\(error.status)"))
    default: throw error
    }
  }

  private static func tus(_ error: any Error, _ logger: Logger) throws -> Response {
    var response = try problem(error, logger)
    response.headers[.tusResumable] = "1.0.0"
    if response.status == .preconditionFailed { response.headers[.tusVersion] = "1.0.0" }
    return response
  }

  private static func aws(_ error: any Error, _ logger: Logger) -> Response {
    let fault = AWSResponses.fault(error)
    if fault.kind == .internalServerError {
      let what = (error as? StoreError).map { "\($0)" } ?? "\(type(of: error))"
      logger.error("AWS-compatible API", metadata: ["error": "\(what)"])
    }
    return AWSResponses.error(fault)
  }

  private static func youverify(_ error: ServiceError) -> Response {
    let invalidSession = "invalid_or_expired_session"
    let (key, message) =
      switch error.code {
      case .notFound:
        (
          invalidSession,
          "There is no such session. Send the sessionId of session/generate as deviceCorrelationId, as ApiClient does."
        )
      case .checkEnded: (invalidSession, "The session is over. Generate a new one.")
      case .unauthorized: ("session_token_error", "This needs an API key in the Token header.")
      case .internalError, .unavailable: ("API_ERROR", "The server could not do this now. Try again shortly.")
      default: ("API_ERROR", error.reason)
      }
    let status: HTTPResponse.Status =
      switch error.code {
      // Sessions of other clients are indistinguishable from sessions that do not exist.
      case .notFound, .checkEnded: .notFound
      case .internalError: .serviceUnavailable
      default: ProblemDetails.status(error.code)
      }
    var response = JSONResponse.json(
      YouverifyErrorResponse(statusCode: status.code, key: key, message: message), status: status)
    if let seconds = error.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
